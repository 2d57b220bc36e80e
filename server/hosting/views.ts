import type * as z from "zod/mini";
import type { Holding } from "#api/hosting/holding.ts";
import type { HostingOrder } from "#api/hosting/order.ts";
import type { frictionResult, Pool as PoolView } from "#api/hosting/pool.ts";
import { type Friction, frictionNames } from "#core/hosting/friction.ts";
import { navScale, redemptionFeeBp, unitNav, unitScale } from "#core/hosting/pool.ts";
import { transferMs } from "#core/hosting/strategy/parameters.ts";
import { latencyMs, takerFeeBp } from "#core/hosting/terms.ts";
import type { Counters } from "#core/hosting/types.ts";
import { formatPusdt } from "#core/money/amount.ts";
import { formatDecimal } from "#core/money/decimal.ts";
import { divideUp } from "#core/money/rounding.ts";
import { dayStartMs } from "#core/money/time.ts";
import { computeDrawdown } from "#server/hosting/run/markBatch.ts";
import { formatBp } from "#server/hosting/run/runEvents.ts";
import type { MarkPoint, PoolDay } from "#server/hosting/store.ts";
import type { HoldingRow, OrderRow, Pool } from "#server/hosting/types.ts";
import type { World } from "#server/platform/context.ts";

/** Whole days over which winning and losing days are counted. */
const countedDays = 30;
/** units × NAV divided by this gives minor units of pUSDT. */
const valuationDivisor = 10n ** BigInt(unitScale + navScale - 6);

export const formatUnits = (units: bigint) => formatDecimal(units, unitScale);
export const formatNav = (nav: bigint) => formatDecimal(nav, navScale, true);

/** Change in hundredths of a basis point, rounded towards zero. */
export function computeChange(from: bigint, to: bigint): bigint {
  return from === 0n ? 0n : ((to - from) * 1_000_000n) / from;
}

/** The value of units, rounded down. */
export function computeUnitsWorth(units: bigint, nav: bigint): bigint {
  return (units * nav) / valuationDivisor;
}

/** The stored totals of one run of the engine. */
export interface RunRow {
  friction: Friction;
  counters: Counters;
  peak: bigint;
  worst: number;
}

export interface PoolFacts {
  runs: readonly RunRow[];
  trades: { won: number; lost: number; today: number; lastMs: number | null };
  days: readonly PoolDay[];
  spark: readonly MarkPoint[];
  last: MarkPoint | null;
  nowMs: number;
  paused: boolean;
  mine: Holding | null;
}

/** A pool as the wire shows it: its results, its costs and its benchmark. */
export function toPoolView(pool: Pool, world: World, facts: PoolFacts): PoolView {
  const { config, nav } = pool;
  const { last, trades, paused } = facts;
  const realistic = facts.runs.find(({ friction }) => friction === "realistic")!;
  const today = dayStartMs(facts.nowMs);
  const day = facts.days.find((day) => day.dayMs === today);
  const now = nav ?? unitNav;
  const legs = config.strategy === "triangle" ? 3 : config.strategy === "cross" ? 2 : 1;
  return {
    product_id: pool.id,
    strategy: config.strategy,
    venues: [...config.venues],
    symbols: [...config.symbols],
    coin: "pUSDT",
    market: world.market,
    state: paused ? "ended" : pool.suspended ? "suspended" : "open",
    terms_hash: pool.termsHash,
    version: pool.version,
    published_at_ms: pool.publishedAtMs,
    leaf: pool.termsLeaf,
    minimum: formatPusdt(pool.minimum),
    redemption_fee_bp: Number(redemptionFeeBp),
    taker_fee_bp: takerFeeBp,
    latency_ms: world.market.kind === "replay" ? null : latencyMs,
    transfer_seconds: transferMs / 1_000,
    cycle_cost_bp: formatBp(legs * takerFeeBp * 100),
    break_even_bp: formatBp(divideUp(redemptionFeeBp * 1_000_000n, 10_000n - redemptionFeeBp)),
    seed_capital: formatPusdt(pool.seed),
    mark:
      nav === null || last === null
        ? null
        : {
            at_ms: pool.markAtMs!,
            leaf: pool.markLeaf!,
            nav: formatNav(nav),
            units: formatUnits(pool.units),
            assets: formatPusdt(computeUnitsWorth(pool.units, nav)),
          },
    waiting_for: waitingFor(pool, paused),
    hosted: formatPusdt(computeUnitsWorth(pool.units - pool.houseUnits, now)),
    holders: pool.holders,
    started_at_ms: pool.startedAtMs,
    return_bp: formatBp(computeChange(unitNav, now)),
    hold_return_bp: formatBp(computeChange(unitNav, last?.hold ?? unitNav)),
    drawdown_bp: formatBp(-realistic.worst),
    drawdown_now_bp: formatBp(-computeDrawdown(realistic.peak, now)),
    today_bp: formatBp(day ? computeChange(day.open, day.close) : 0n),
    fees_paid: formatPusdt(realistic.counters.fees),
    slippage_paid: formatPusdt(realistic.counters.slippage),
    trades: realistic.counters.trades,
    trades_won: trades.won,
    trades_lost: trades.lost,
    trades_today: trades.today,
    last_trade_at_ms: trades.lastMs,
    days: toDaysView(facts.days.filter((day) => day.dayMs < today)),
    daily: facts.days.slice(-countedDays).map((day) => ({
      day_at_ms: day.dayMs,
      nav: formatNav(day.close),
      change_bp: formatBp(computeChange(day.open, day.close)),
    })),
    spark: facts.spark.map((point): [number, string, string] => [
      Number(point.at_ms),
      formatNav(point.nav),
      formatNav(point.hold),
    ]),
    friction: toFrictionView(facts.runs, now, last),
    mine: facts.mine,
  };
}

function waitingFor(pool: Pool, paused: boolean): PoolView["waiting_for"] {
  if (paused) return "recording_ended";
  if (pool.gapAtMs !== null) return "index";
  return pool.markAtMs === null ? "first_mark" : null;
}

function toDaysView(days: readonly PoolDay[]): PoolView["days"] {
  const changes = days.slice(-countedDays).map((day) => computeChange(day.open, day.close));
  const sorted = [...changes].sort((a, b) => (a < b ? -1 : 1));
  const [worstDay, best] = [sorted[0], sorted.at(-1)];
  return {
    winning: changes.filter((change) => change > 0n).length,
    losing: changes.filter((change) => change < 0n).length,
    flat: changes.filter((change) => change === 0n).length,
    worst_bp: worstDay === undefined ? null : formatBp(worstDay),
    best_bp: best === undefined ? null : formatBp(best),
  };
}

function toFrictionView(
  runs: readonly RunRow[],
  nav: bigint,
  last: MarkPoint | null,
): PoolView["friction"] {
  const navs = {
    realistic: nav,
    frictionless: last?.frictionless ?? unitNav,
    harsh: last?.harsh ?? unitNav,
  };
  const results = {} as Record<Friction, z.infer<typeof frictionResult>>;
  for (const friction of frictionNames) {
    const { counters, worst } = runs.find((run) => run.friction === friction)!;
    results[friction] = {
      nav: formatNav(navs[friction]),
      return_bp: formatBp(computeChange(unitNav, navs[friction])),
      drawdown_bp: formatBp(-worst),
      trades: counters.trades,
      fees: formatPusdt(counters.fees),
      slippage: formatPusdt(counters.slippage),
    };
  }
  return results;
}

/**
 * An attempt's holding in a pool; `today` is the earnings of its units since the last mark of the
 * day before.
 */
export function toHoldingView(row: HoldingRow, pool: Pool, today: bigint): Holding {
  const nav = pool.nav ?? unitNav;
  const units = row.bought - row.redeemed;
  const value = computeUnitsWorth(units, nav);
  const invested = row.paid_in - row.waiting;
  const cost = invested - row.paid_out;
  const result = value - cost;
  const keptBp = 10_000n - redemptionFeeBp;
  return {
    product_id: pool.id,
    units: formatUnits(units),
    units_blocked: formatUnits(row.blocked),
    waiting: formatPusdt(row.waiting),
    nav: formatNav(nav),
    value: formatPusdt(value),
    paid_in: formatPusdt(row.paid_in),
    paid_out: formatPusdt(row.paid_out),
    result: formatPusdt(result),
    today: formatPusdt(today),
    return_bp: invested === 0n ? null : formatBp(computeChange(invested, invested + result)),
    break_even_nav:
      units === 0n
        ? null
        : formatNav(cost <= 0n ? 0n : divideUp(cost * valuationDivisor * 10_000n, units * keptBp)),
  };
}

/** A subscription or redemption as the wire shows it. */
export function toOrderView(
  row: OrderRow,
  pool: Pool,
  world: World,
  paused: boolean,
): HostingOrder {
  const money = (value: bigint | null) => (value === null ? null : formatPusdt(value));
  const moment = (value: bigint | null) => (value === null ? null : Number(value));
  return {
    order_id: row.id,
    attempt_id: row.attempt_id,
    product_id: row.pool_id,
    strategy: pool.config.strategy,
    action: row.action,
    status: row.outcome === null ? "processing" : "over",
    outcome: row.outcome,
    coin: "pUSDT",
    amount: money(row.amount),
    units: row.units === null ? null : formatUnits(row.units),
    nav: row.nav === null ? null : formatNav(row.nav),
    fee: money(row.fee),
    payout: money(row.payout),
    accepted_at_ms: Number(row.accepted_at_ms),
    bound_leaf: moment(row.bound_leaf),
    mark_at_ms: moment(row.mark_at_ms),
    mark_leaf: row.outcome === "returned" ? null : moment(row.mark_leaf),
    waiting_for:
      row.outcome !== null
        ? null
        : paused
          ? "recording_ended"
          : pool.gapAtMs === null
            ? null
            : "index",
    terms_hash: row.terms_hash,
    order_hash: row.order_hash,
    market: world.market,
  };
}
