import { isCoin } from "#core/money/coins.ts";
import { addSixMonths, recordGroups } from "#core/records/record.ts";
import type { RecordFilter } from "./useRecords.ts";

/** Parses the filter in an address; invalid values are ignored. */
export function parseFilter(query: URLSearchParams): RecordFilter {
  const filter: RecordFilter = {};
  const [coin, group, attempt, search] = ["coin", "group", "attempt_id", "search"].map(
    (name) => query.get(name) ?? "",
  ) as [string, string, string, string];
  if (isCoin(coin)) filter.coin = coin;
  const knownGroup = recordGroups.find((recordGroup) => recordGroup === group);
  if (knownGroup) filter.group = knownGroup;
  if (attempt) filter.attempt_id = attempt;
  if (search.trim().length >= 4) filter.search = search.trim();
  const range = toRange(query.get("from") ?? "", query.get("to") ?? "");
  if (range.ok && range.from_ms !== undefined) {
    filter.from_ms = range.from_ms;
    filter.to_ms = range.to_ms;
  }
  return filter;
}

export type Range =
  | { ok: true; from_ms?: undefined; to_ms?: undefined }
  | { ok: true; from_ms: number; to_ms: number }
  | { ok: false; error: "both" | "range_backwards" | "range_too_long" };

/**
 * Converts two days (`2026-01-05`, in the reader's time zone) to a range that includes both; no
 * range when both are empty.
 */
export function toRange(from: string, to: string): Range {
  if (from === "" && to === "") return { ok: true };
  const [fromMs, nextMs] = [toMidnight(from, 0), toMidnight(to, 1)];
  if (fromMs === null || nextMs === null) return { ok: false, error: "both" };
  if (nextMs <= fromMs) return { ok: false, error: "range_backwards" };
  if (nextMs - 1 > addSixMonths(fromMs)) return { ok: false, error: "range_too_long" };
  return { ok: true, from_ms: fromMs, to_ms: nextMs - 1 };
}

function toMidnight(day: string, daysLater: number): number | null {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day);
  if (!match) return null;
  const [year, month, date] = match.slice(1).map(Number) as [number, number, number];
  const ms = new Date(year, month - 1, date + daysLater).getTime();
  return ms < 0 || Number.isNaN(ms) ? null : ms;
}
