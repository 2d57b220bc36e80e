import { sql } from "kysely";
import { dayMs } from "#core/money/time.ts";
import type { Db, Tx } from "#server/platform/db/database.ts";

/**
 * Why seconds were not closed: the feed was running and more than ten seconds late (`overload`), or
 * no feed was running, or none that reached the database (`downtime`).
 */
export const gapCauses = ["overload", "downtime"] as const;
type GapCause = (typeof gapCauses)[number];

/** Seconds in `[fromMs, toMs)` that were not closed. */
export interface Gap {
  fromMs: number;
  toMs: number;
  cause: GapCause;
}

/** Seconds of a span of world time. */
export interface SecondCounts {
  closed: number;
  overload: number;
  downtime: number;
}

/** Splits a gap at the world time since which a feed has been running; null: none is. */
export function splitGap(fromMs: number, toMs: number, runningMs: number | null): Gap[] {
  const atMs = runningMs === null ? toMs : Math.ceil(runningMs / 1_000) * 1_000;
  const splitMs = Math.min(Math.max(atMs, fromMs), toMs);
  const gaps: Gap[] = [
    { fromMs, toMs: splitMs, cause: "downtime" },
    { fromMs: splitMs, toMs, cause: "overload" },
  ];
  return gaps.filter((gap) => gap.fromMs < gap.toMs);
}

export async function insertGaps(tx: Tx, gaps: readonly Gap[]): Promise<void> {
  if (gaps.length === 0) return;
  await sql`insert into market_gap (from_ms, to_ms, cause)
    select * from unnest(${gaps.map(({ fromMs }) => fromMs)}::bigint[],
      ${gaps.map(({ toMs }) => toMs)}::bigint[], ${gaps.map(({ cause }) => cause)}::text[])`.execute(
    tx,
  );
}

const spans = { day: dayMs, month: 30 * dayMs } as const;

/**
 * The seconds of the last day and of the last thirty days of world time, up to and including
 * `lastMs`, the last closed second; those before `firstMs`, the world's first, were never due.
 */
export async function countSeconds(
  db: Db,
  firstMs: number,
  lastMs: number,
): Promise<Record<keyof typeof spans, SecondCounts>> {
  const toMs = lastMs + 1_000;
  const count = async (spanMs: number): Promise<SecondCounts> => {
    const fromMs = Math.max(firstMs, toMs - spanMs);
    const { rows } = await sql<{ cause: GapCause; missing: bigint }>`
      select cause,
        (sum(least(to_ms, ${toMs}::bigint) - greatest(from_ms, ${fromMs}::bigint)) / 1000)::bigint as missing
      from market_gap where to_ms > ${fromMs} and from_ms < ${toMs} group by cause`.execute(db);
    const getMissing = (cause: GapCause) =>
      Number(rows.find((row) => row.cause === cause)?.missing ?? 0n);
    const [overload, downtime] = [getMissing("overload"), getMissing("downtime")];
    return { closed: (toMs - fromMs) / 1_000 - overload - downtime, overload, downtime };
  };
  return { day: await count(spans.day), month: await count(spans.month) };
}
