import { sql } from "kysely";
import type { DailyEarning, Holding } from "#api/hosting/holding.ts";
import { unitNav } from "#core/hosting/pool.ts";
import { formatPusdt } from "#core/money/amount.ts";
import { dayMs, dayStartMs } from "#core/money/time.ts";
import { computeEarnings, type DayEarned } from "#server/hosting/earnings.ts";
import type { Pools } from "#server/hosting/pools.ts";
import { formatBp } from "#server/hosting/run/runEvents.ts";
import { readDays, readHoldings, readUnitChanges } from "#server/hosting/store.ts";
import type { Pool } from "#server/hosting/types.ts";
import {
  computeChange,
  computeUnitsWorth,
  formatNav,
  formatUnits,
  toHoldingView,
} from "#server/hosting/views.ts";
import type { AppContext } from "#server/platform/context.ts";

/** An attempt's earnings by pool and day, computed from its few orders and the pools' days. */
export async function readEarnings(
  { database, clock }: AppContext,
  attemptId: string,
  poolId: string | null,
): Promise<DayEarned[]> {
  const changes = await readUnitChanges(database.db, attemptId, poolId);
  const firstMs = Math.min(clock.nowMs(), ...changes.map(({ atMs }) => atMs));
  const days = await readDays(database.db, poolId, dayStartMs(firstMs));
  return [...Map.groupBy(changes, (unitChange) => unitChange.poolId)].flatMap(([id, unitChanges]) =>
    computeEarnings(
      unitChanges,
      days.filter((day) => day.poolId === id),
    ),
  );
}

/** An attempt's holding in one pool, as numbers and as the wire shows it. */
export interface PoolHolding {
  view: Holding;
  pool: Pool;
  worst: number;
  value: bigint;
  waiting: bigint;
  today: bigint;
  paidIn: bigint;
  invested: bigint;
  result: bigint;
}

export async function readPoolHoldings(
  ctx: AppContext,
  pools: Pools,
  attemptId: string,
): Promise<PoolHolding[]> {
  const { db } = ctx.database;
  const rows = await readHoldings(db, attemptId);
  if (rows.length === 0) return [];
  const poolList = await pools.all();
  const earnings = await readEarnings(ctx, attemptId, null);
  const { rows: worsts } = await sql<{ pool_id: string; worst: number }>`
    select pool_id, worst from hosting_state where friction = 'realistic'`.execute(db);
  return rows.map((row): PoolHolding => {
    const pool = poolList.find(({ id }) => id === row.pool_id)!;
    const day = earnings.findLast((earning) => earning.poolId === pool.id);
    const isToday = day && pool.markAtMs !== null && day.dayMs + dayMs > pool.markAtMs;
    const today = isToday ? day.earned - day.fees : 0n;
    const value = computeUnitsWorth(row.bought - row.redeemed, pool.nav ?? unitNav);
    const invested = row.paid_in - row.waiting;
    return {
      view: toHoldingView(row, pool, today),
      pool,
      worst: worsts.find(({ pool_id: id }) => id === pool.id)?.worst ?? 0,
      value,
      waiting: row.waiting,
      today,
      paidIn: row.paid_in,
      invested,
      result: value + row.paid_out - invested,
    };
  });
}

/** The totals of `findTrusteeshipInfo`. */
export function toHoldingsInfo(holdings: readonly PoolHolding[]) {
  const sum = (select: (holding: PoolHolding) => bigint) =>
    holdings.reduce((total, poolHolding) => total + select(poolHolding), 0n);
  const cumulative = sum((poolHolding) => poolHolding.result);
  const invested = sum((poolHolding) => poolHolding.invested);
  const worstHolding = holdings
    .filter((poolHolding) => poolHolding.value > 0n)
    .map((poolHolding) => poolHolding.worst);
  return {
    coin: "pUSDT" as const,
    hosted: formatPusdt(sum((poolHolding) => poolHolding.value)),
    waiting: formatPusdt(sum((poolHolding) => poolHolding.waiting)),
    today: formatPusdt(sum((poolHolding) => poolHolding.today)),
    cumulative: formatPusdt(cumulative),
    paid_in: formatPusdt(sum((poolHolding) => poolHolding.paidIn)),
    return_bp: invested === 0n ? null : formatBp(computeChange(invested, invested + cumulative)),
    worst_drawdown_bp: worstHolding.length === 0 ? null : formatBp(-Math.max(...worstHolding)),
    holdings: holdings.map(({ view }) => view),
  };
}

/** A day's earnings as the wire shows them. */
export function toEarningView(earning: DayEarned, pools: readonly Pool[]): DailyEarning {
  return {
    day_at_ms: earning.dayMs,
    product_id: earning.poolId,
    strategy: pools.find(({ id }) => id === earning.poolId)!.config.strategy,
    units: formatUnits(earning.units),
    nav_from: formatNav(earning.navFrom),
    nav_to: formatNav(earning.navTo),
    earned: formatPusdt(earning.earned),
    fees: formatPusdt(earning.fees),
  };
}
