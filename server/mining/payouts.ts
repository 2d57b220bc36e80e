import { sql } from "kysely";
import { hourMs, minuteMs } from "#core/money/time.ts";
import type { Network } from "#server/mining/network.ts";
import { readPriceNow } from "#server/mining/price.ts";
import type { MiningDeps } from "#server/mining/types.ts";
import type { AppContext } from "#server/platform/context.ts";

declare module "#server/platform/bus/bus.ts" {
  interface BusEvents {
    /** A user's lease began, was paid or ended. */
    "lease.changed": { userId: string; leaseIds: string[] };
  }
}

/**
 * Leases paid per statement, unless a single world minute ends the day of more: a minute is never
 * split.
 */
const leasesPerBatch = 20_000;

/**
 * Pays days that have ended. Each batch is one statement, in which every lease counts its paid
 * days, and a journal's id is derived from machine and minute: a crash, a second process or a clock
 * jump pays no day twice and skips none. A day is paid with the world minute in which it ended.
 */
export function createPayouts(
  ctx: AppContext,
  { ledger, market }: Pick<MiningDeps, "ledger" | "market">,
  network: Network,
) {
  const { db } = ctx.database;
  /** Makes all due payouts; returns the number of leases paid. */
  return async (): Promise<number> => {
    const last = await network.latest();
    if (!last) return 0;
    const readToMs = Number(last.hour_ms) + hourMs - 1;
    const upToMs = Math.floor(Math.min(ctx.clock.nowMs(), readToMs) / minuteMs) * minuteMs;
    const house = await ledger.account("house", "mining", "pBTC");
    let count = 0;
    for (;;) {
      const boundMs = await readNextBound(ctx, upToMs);
      if (boundMs === null) return count;
      const { rows } = await sql<{ id: string; user_id: string }>`
        select id, user_id from credit_mining(${ctx.world.name}, ${boundMs}, ${ctx.clock.nowMs()}, ${house},
          ${readPriceNow(ctx, market)})`.execute(db);
      count += rows.length;
      notify(ctx, rows);
      ledger.notifyPosted(rows.map((row) => row.user_id));
    }
  };
}

/** The last minute of the next batch; null when nothing is due. Reads no further than the batch. */
async function readNextBound({ database }: AppContext, upToMs: number): Promise<number | null> {
  const { rows } = await sql<{ first_ms: bigint | null; next_ms: bigint | null }>`
    select
      (select (next_due_ms + 59999) / 60000 * 60000 from mining_lease
        where next_due_ms <= ${upToMs}::bigint order by next_due_ms limit 1) as first_ms,
      (select (next_due_ms + 59999) / 60000 * 60000 from mining_lease
        where next_due_ms <= ${upToMs}::bigint order by next_due_ms limit 1 offset ${leasesPerBatch}) as next_ms`.execute(
    database.db,
  );
  const { first_ms: first, next_ms: next } = rows[0]!;
  if (first === null) return null;
  // The minute that would make the batch too large goes into the next one, unless it is the first.
  return next === null ? upToMs : Math.max(Number(first), Number(next) - minuteMs);
}

/** Notifies each person once of which of their leases changed. */
function notify(
  { bus }: Pick<AppContext, "bus">,
  rows: readonly { id: string; user_id: string }[],
): void {
  const byUser = Map.groupBy(rows, (row) => row.user_id);
  for (const [userId, leases] of byUser)
    bus.publish("lease.changed", { userId, leaseIds: leases.map(({ id }) => id) });
}
