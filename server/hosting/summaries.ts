import { sql } from "kysely";
import type { InstanceView } from "#api/operator/instance.ts";
import type { Friction } from "#core/hosting/friction.ts";
import { decodePoolState } from "#core/hosting/state.ts";
import { formatPusdt } from "#core/money/amount.ts";
import { dayMs, dayStartMs } from "#core/money/time.ts";
import type { Pools } from "#server/hosting/pools.ts";
import { readDays, readMarks, readTradeCounts } from "#server/hosting/store.ts";
import type { Pool } from "#server/hosting/types.ts";
import { computeChange, computeUnitsWorth, type RunRow } from "#server/hosting/views.ts";
import { hasEnded } from "#server/platform/clock/clock.ts";
import type { AppContext } from "#server/platform/context.ts";
import { createTtlCache } from "#server/platform/ttlCache.ts";

/** Days a pool's card covers, and the points of its sparkline. */
const summaryDays = 31;
const sparkPoints = 48;
/** Marks and trades on a card are at most this old, in real milliseconds. */
const summaryMs = 1_000;

/** The figures that cards show besides the pools' own rows, for all pools in a few statements. */
export type PoolSummaries = Awaited<ReturnType<typeof readPoolSummaries>>;

export function createPoolSummaries(ctx: AppContext, pools: Pools) {
  return createTtlCache<string, PoolSummaries>(() => readPoolSummaries(ctx, pools), {
    ttlMs: summaryMs,
    clock: ctx.realClock,
    shouldCache: () => true,
  });
}

/** Reads what cards show besides the pools' own rows. */
async function readPoolSummaries({ database, clock }: AppContext, pools: Pools) {
  const { db } = database;
  const nowMs = clock.nowMs();
  const poolList = await pools.all();
  const [trades, days, states, marks] = await Promise.all([
    readTradeCounts(db, dayStartMs(nowMs)),
    readDays(db, null, dayStartMs(nowMs) - summaryDays * dayMs),
    sql<{ pool_id: string; friction: Friction; state: string; peak: bigint; worst: number }>`
      select pool_id, friction, state, peak, worst from hosting_state`.execute(db),
    Promise.all(
      poolList.map(async ({ id, markAtMs }) => {
        const { items } = await readMarks(db, id, (markAtMs ?? nowMs) - dayMs, sparkPoints);
        return [id, items] as const;
      }),
    ),
  ]);
  const sparks = new Map(marks);
  const runs: (RunRow & { poolId: string })[] = states.rows.map((row) => ({
    poolId: row.pool_id,
    friction: row.friction,
    counters: decodePoolState(row.state).counters,
    peak: row.peak,
    worst: row.worst,
  }));
  return {
    days,
    of: (poolId: string) => ({
      runs: runs.filter((run) => run.poolId === poolId),
      trades: trades.get(poolId) ?? { won: 0, lost: 0, today: 0, lastMs: null },
      days: days.filter((day) => day.poolId === poolId),
      spark: sparks.get(poolId) ?? [],
      last: sparks.get(poolId)?.at(-1) ?? null,
      nowMs,
      paused: hasEnded(clock),
    }),
  };
}

/**
 * The total that people have hosted, and its change today in basis points; null before the first
 * mark.
 */
export function computeTotals(pools: readonly Pool[], facts: PoolSummaries) {
  const markedPools = pools.filter(({ nav }) => nav !== null);
  if (markedPools.length === 0) return { hosted: null, changeBp: null };
  let now = 0n;
  let before = 0n;
  for (const pool of markedPools) {
    const people = pool.units - pool.houseUnits;
    now += computeUnitsWorth(people, pool.nav!);
    before += computeUnitsWorth(people, facts.of(pool.id).days.at(-1)?.open ?? pool.nav!);
  }
  return {
    hosted: formatPusdt(now),
    changeBp: before === 0n ? null : Number(computeChange(before, now) / 100n),
  };
}

/** A pool as the console shows it: the worth of people's units and of the house's. */
export function toPoolSummary({
  nav,
  units,
  houseUnits,
  ...pool
}: Pool): InstanceView["pools"][number] {
  const worth = (units: bigint) =>
    nav === null ? null : formatPusdt(computeUnitsWorth(units, nav));
  return {
    pool_id: pool.id,
    suspended: pool.suspended,
    holders: pool.holders,
    people: worth(units - houseUnits),
    house: worth(houseUnits),
    mark_at_ms: pool.markAtMs,
  };
}
