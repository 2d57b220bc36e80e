import { type Range, toRange } from "../records/filterQuery.ts";

/** Spans that are offered without naming days. */
export const spanPresets = ["1", "7", "30", "all"] as const;
type Preset = (typeof spanPresets)[number];

export interface Span {
  /** The one that the address names; null for custom days. */
  preset: Preset | null;
  /** As typed. */
  from: string;
  to: string;
  /** Why those days are not a span; the figures then cover all time. */
  problem: Extract<Range, { ok: false }>["error"] | null;
  /** For the calls: world time; absent for all of it. */
  bounds: { from_ms?: number; to_ms?: number };
  /** For links to the records of these days. */
  records: string;
}

/** Reads the span of an address: `days` (1, 7, 30) up to today, or `from` and `to`; else all. */
export function parseSpan(query: URLSearchParams, nowMs: number): Span {
  const preset = spanPresets.find((preset) => preset === query.get("days")) ?? null;
  const [from, to] = [query.get("from") ?? "", query.get("to") ?? ""];
  const allTime = {
    preset: "all",
    from: "",
    to: "",
    problem: null,
    bounds: {},
    records: "",
  } as const;
  if (preset !== null && preset !== "all") {
    const [first, last] = [toDay(nowMs, 1 - Number(preset)), toDay(nowMs, 0)];
    return { ...parseOwnDays(first, last), preset, from: "", to: "" };
  }
  return from === "" && to === "" ? allTime : parseOwnDays(from, to);
}

function parseOwnDays(from: string, to: string): Span {
  const range = toRange(from, to);
  const span = { preset: null, from, to, problem: null, bounds: {}, records: "" };
  if (!range.ok) return { ...span, problem: range.error };
  if (range.from_ms === undefined) return span;
  const bounds = { from_ms: range.from_ms, to_ms: range.to_ms };
  return { ...span, bounds, records: `&from=${from}&to=${to}` };
}

/** A day in the reader's time zone as `2026-01-05`. */
function toDay(nowMs: number, daysOn: number): string {
  const now = new Date(nowMs);
  const day = new Date(now.getFullYear(), now.getMonth(), now.getDate() + daysOn);
  const twoDigits = (value: number) => String(value).padStart(2, "0");
  return `${day.getFullYear()}-${twoDigits(day.getMonth() + 1)}-${twoDigits(day.getDate())}`;
}
