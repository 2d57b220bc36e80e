import { getSymbolAssets } from "#core/hosting/assets.ts";
import type { Friction } from "#core/hosting/friction.ts";
import { settleOrders } from "#core/hosting/settle.ts";
import { closeOpenLeg, raiseCash, rebalance } from "#core/hosting/strategy/rebalancing.ts";
import { strategies } from "#core/hosting/strategy/strategies.ts";
import { planOwedTransfers, planTransfers, takeArrivals } from "#core/hosting/strategy/transfer.ts";
import type {
  Decide,
  Decision,
  Moment,
  PendingOrder,
  PoolConfig,
  PoolState,
  StepResult,
  StrategyResult,
} from "#core/hosting/types.ts";
import { computeWorth } from "#core/hosting/value.ts";
import { minuteMs } from "#core/money/time.ts";

/**
 * Steps a pool by one moment: inventory arrives, pending orders meet their books, then at most one
 * new decision is made, and inventory is sent out. Pure: the same configuration, friction, state
 * and moment give the same result on every machine. Moments must come in ascending order; omitting
 * one is a gap, never an error.
 *
 * Priorities, in order: pay redeemers, unwind a leg left alone, run the strategy, restock.
 */
export function stepEngine(
  config: PoolConfig,
  friction: Friction,
  before: PoolState,
  moment: Moment,
  decide: Decide = strategies[config.strategy].decide,
): StepResult {
  const { state: stateAfterArrivals, arrived } = takeArrivals(before, moment.atMs);
  const orderSettlement = settleOrders(config, friction, stateAfterArrivals, moment);
  const owedTransfers = planOwedTransfers(config, orderSettlement.state, moment.atMs);
  const { fills } = orderSettlement;
  let { state } = owedTransfers;
  if (state.orders.length > 0) {
    return {
      state,
      decision: null,
      why: "pending",
      observed: null,
      fills,
      sent: owedTransfers.sent,
      arrived,
    };
  }
  const result = runStrategy(config, friction, state, moment, decide);
  let decision: Decision | null = null;
  let why = result.trades ? null : result.why;
  if (result.trades) {
    const placement = createOrders(config, state, moment, result);
    if (placement) {
      decision = placement.decision;
      const fillResult = settleOrders(config, friction, placement.state, moment, true);
      fills.push(...fillResult.fills);
      state = fillResult.state;
    } else why = "no_index";
  }
  const transferPlan =
    state.orders.length > 0 ? { state, sent: [] } : planTransfers(config, state, moment);
  const transfers = [...owedTransfers.sent, ...transferPlan.sent];
  return {
    state: transferPlan.state,
    decision,
    why,
    observed: result.observed,
    fills,
    sent: transfers,
    arrived,
  };
}

function runStrategy(
  config: PoolConfig,
  friction: Friction,
  state: PoolState,
  moment: Moment,
  decide: Decide,
): StrategyResult {
  if (state.owed > state.free) {
    const cashResult = raiseCash(config, friction, state, moment);
    return cashResult ?? { trades: false, why: "stale", observed: null };
  }
  const clearing = closeOpenLeg(config, friction, state, moment);
  if (clearing) return clearing;
  const result = decide(config, friction, state, moment);
  if (result.trades || moment.atMs % minuteMs !== 0) return result;
  return rebalance(config, friction, state, moment) ?? result;
}

/**
 * Turns requests into orders; null when the index has a gap, because their result could not be
 * computed later.
 */
function createOrders(
  config: PoolConfig,
  state: PoolState,
  moment: Moment,
  result: StrategyResult & { trades: true },
): { state: PoolState; decision: Decision } | null {
  const number = state.counters.decisions + 1;
  const orders: PendingOrder[] = [];
  const books = [];
  for (const [leg, request] of result.requests.entries()) {
    const { base, quote } = getSymbolAssets(request.symbol);
    const baseWorth = computeWorth(base, config.home, moment);
    const quoteWorth = computeWorth(quote, config.home, moment);
    const book = moment.book(request.venue, request.symbol);
    if (baseWorth === null || quoteWorth === null || !book) return null;
    books.push(book.levels());
    orders.push({
      ...request,
      decision: number,
      leg,
      purpose: result.purpose,
      decidedMs: moment.atMs,
      bookMs: book.atMs,
      waited: 0,
      mid2: book.bid + book.ask,
      baseWorth,
      quoteWorth,
    });
  }
  const { purpose, observed } = result;
  const trades = state.counters.trades + (purpose === "arbitrage" ? 1 : 0);
  const counters = { ...state.counters, decisions: number, trades };
  return {
    state: { ...state, orders, counters },
    decision: { number, atMs: moment.atMs, purpose, orders, books, observed },
  };
}
