import { sql } from "kysely";
import { dayMs, toRealDay } from "#core/money/time.ts";
import { encodeDay, type SecondRange, type Voids } from "#core/transparency-log/dayLeaf.ts";
import type { LeafLog } from "#server/market/source.ts";
import { readLastSecond, readState } from "#server/market/store.ts";
import type { AppContext } from "#server/platform/context.ts";
import type { Db, Tx } from "#server/platform/db/database.ts";
import type { Job } from "#server/platform/jobs.ts";

/** How often to check for a day that is over, in real seconds. */
const everySeconds = 5;

export interface DayLeavesDeps {
  transparencyLog: LeafLog;
  contributions: {
    /**
     * Counts orders that ended in `[fromMs, toMs)` of world time and are void; null while one of
     * that time is not settled yet.
     */
    readonly voidsOfDay: readonly ((
      tx: Tx,
      fromMs: number,
      toMs: number,
    ) => Promise<Voids | null>)[];
  };
}

/**
 * Writes a `day` leaf for each UTC day of world time that is over: once a later second is closed,
 * so that its gaps are known, and all its orders are settled.
 */
export function createDayLeaves(ctx: AppContext, deps: DayLeavesDeps) {
  const appendNext = () =>
    ctx.database.db.transaction().execute(async (tx) => {
      const [state, last] = [await readState(tx), await readLastSecond(tx)];
      if (!state || !last) return false;
      const before = await readNewestDayLeaf(tx);
      const day = before ? before.day + 1 : toRealDay(state.firstSecondMs);
      const fromMs = Math.max(day * dayMs, state.firstSecondMs);
      // Nothing is due after the end of a recording.
      const endMs = Math.min((day + 1) * dayMs, (ctx.clock.endMs ?? last.secondMs) + 1_000);
      if (fromMs >= endMs || last.secondMs < endMs) return false;
      const voids = { noEntry: 0, fewSamples: 0 };
      for (const count of deps.contributions.voidsOfDay) {
        const voidSeconds = await count(tx, day * dayMs, (day + 1) * dayMs);
        if (!voidSeconds) return false;
        voids.noEntry += voidSeconds.noEntry;
        voids.fewSamples += voidSeconds.fewSamples;
      }
      const second = (ms: number) => (ms - day * dayMs) / 1_000;
      const expectedRange = { from: second(fromMs), count: (endMs - fromMs) / 1_000 };
      const missingRanges = (await readGaps(tx, fromMs, endMs)).map((gap) => ({
        from: second(gap.fromMs),
        count: (gap.toMs - gap.fromMs) / 1_000,
      }));
      const leaf = {
        day,
        due: expectedRange,
        voids,
        before: before?.leaf ?? null,
        missing: mergeRanges(missingRanges),
      };
      const bytes = encodeDay(leaf, ctx.world.name);
      const appendedLeaf = await deps.transparencyLog.append(tx, [{ kind: "day", bytes }]);
      await sql`insert into day_leaf (day, leaf) values (${day}, ${appendedLeaf})`.execute(tx);
      return true;
    });
  const appendDays = async () => {
    let count = 0;
    while (await appendNext()) count += 1;
    return count;
  };
  const job: Job = { name: "market.days", service: "feed", everySeconds, run: appendDays };
  return { appendDays, job };
}

/** Merges adjacent ranges, because a gap is split where its cause changes. */
function mergeRanges(stretches: readonly SecondRange[]): SecondRange[] {
  const ranges: SecondRange[] = [];
  for (const { from, count } of stretches) {
    const last = ranges.at(-1);
    if (last && last.from + last.count === from) last.count += count;
    else ranges.push({ from, count });
  }
  return ranges;
}

async function readGaps(tx: Tx, fromMs: number, toMs: number) {
  const { rows } = await sql<{ from_ms: bigint; to_ms: bigint }>`
    select greatest(from_ms, ${fromMs}::bigint) as from_ms, least(to_ms, ${toMs}::bigint) as to_ms
    from market_gap where to_ms > ${fromMs} and from_ms < ${toMs} order by from_ms`.execute(tx);
  return rows.map((row) => ({ fromMs: Number(row.from_ms), toMs: Number(row.to_ms) }));
}

/** Null before the first. */
export async function readNewestDayLeaf(
  db: Db | Tx,
): Promise<{ day: number; leaf: number } | null> {
  const { rows } = await sql<{ day: number; leaf: bigint }>`
    select day, leaf from day_leaf order by day desc limit 1`.execute(db);
  const row = rows[0];
  return row ? { day: row.day, leaf: Number(row.leaf) } : null;
}

/** The leaf of a day since 1970; null until it is written. */
export async function readDayLeaf(db: Db | Tx, day: number): Promise<number | null> {
  const { rows } = await sql<{ leaf: bigint }>`
    select leaf from day_leaf where day = ${day}`.execute(db);
  return rows[0] ? Number(rows[0].leaf) : null;
}
