import { getSymbolAssets } from "#core/hosting/assets.ts";
import { type Friction, getFeeBp } from "#core/hosting/friction.ts";
import { getHeldAt } from "#core/hosting/state.ts";
import type {
  Moment,
  PoolConfig,
  PoolState,
  Strategy,
  StrategyResult,
} from "#core/hosting/types.ts";
import { computeWorth, worthUnit } from "#core/hosting/value.ts";
import { min } from "#core/money/amount.ts";
import { bandBp, limitBp } from "./parameters.ts";
import {
  computeGap,
  type FreshBook,
  getFreshBook,
  getLevels,
  getMargin,
  minimumHomeAmount,
  orderRequest,
} from "./sides.ts";

/**
 * Cross-venue arbitrage of one symbol: buys at the cheap venue and simultaneously sells at the dear
 * one, from stock held at both. Half of the pool is always the base asset, unhedged.
 */
export const cross: Strategy = {
  name: "cross",
  weights: (config) => ({ [getSymbolAssets(config.symbols[0]!).base]: 5_000 }),
  bandBp,
  words: { does: "hosting.cross_does", loses: "hosting.cross_loses", costs: "hosting.cross_costs" },
  decide,
};

function decide(
  config: PoolConfig,
  friction: Friction,
  state: PoolState,
  moment: Moment,
): StrategyResult {
  const symbol = config.symbols[0]!;
  const books: FreshBook[] = [];
  for (const venue of config.venues) {
    const book = getFreshBook(moment, venue, symbol, friction);
    if (book) books.push(book);
  }
  if (books.length < 2) return { trades: false, why: "stale", observed: null };
  const fee = getFeeBp(friction);
  const margin = getMargin(config);
  let [from, to] = [books[0]!, books[1]!];
  for (const a of books) {
    for (const b of books) {
      if (a !== b && b.best.bid * from.best.ask > to.best.bid * a.best.ask) [from, to] = [a, b];
    }
  }
  const observation = {
    gap: computeGap(to.best.bid, from.best.ask),
    needed: computeGap((10_000n + fee) * 10_000n, (10_000n - fee - margin) * 10_000n),
  };
  if (!isProfitable(from.best.ask, to.best.bid, fee, margin))
    return { trades: false, why: "gap", observed: observation };
  return sizeOrders({ config, friction, state, moment, from, to, fee, observed: observation });
}

/** Returns true if buying at `ask` and selling at `bid` leaves the margin after both fees. */
function isProfitable(ask: bigint, bid: bigint, fee: bigint, margin: bigint): boolean {
  return bid * (10_000n - fee - margin) > ask * (10_000n + fee);
}

function sizeOrders(input: {
  config: PoolConfig;
  friction: Friction;
  state: PoolState;
  moment: Moment;
  from: FreshBook;
  to: FreshBook;
  fee: bigint;
  observed: { gap: number; needed: number };
}): StrategyResult {
  const { config, friction, state, from, to, fee, observed } = input;
  const margin = getMargin(config);
  const { base, quote, divisor, quoteUnit } = getSymbolAssets(from.symbol);
  const baseHeld = getHeldAt(state, to.venue, base);
  // Leave enough quote to cover the fill's limit and fee.
  const budget =
    (getHeldAt(state, from.venue, quote) * divisor * 10_000n) /
    (quoteUnit * (10_000n + fee + limitBp + 1n));
  const asks = getLevels(from, "buy", friction);
  const bids = getLevels(to, "sell", friction);
  let quantity = 0n;
  let [ask, bid] = [from.best.ask, to.best.bid];
  for (let a = 0, b = 0, spent = 0n; a < asks.length && b < bids.length; ) {
    const [buy, sell] = [asks[a]!, bids[b]!];
    if (!isProfitable(buy.price, sell.price, fee, margin)) break;
    const room = min(baseHeld - quantity, (budget - spent) / buy.price);
    const filledSize = min(min(buy.size, sell.size), room);
    if (filledSize > 0n) {
      quantity += filledSize;
      spent += filledSize * buy.price;
      [ask, bid] = [buy.price, sell.price];
      buy.size -= filledSize;
      sell.size -= filledSize;
    }
    if (filledSize === room) break;
    if (buy.size === 0n) a += 1;
    if (sell.size === 0n) b += 1;
  }
  const worth = computeWorth(base, config.home, input.moment);
  if (worth === null) return { trades: false, why: "no_index", observed };
  if ((quantity * worth) / worthUnit < minimumHomeAmount(config)) {
    const isInventoryShort =
      (baseHeld * worth) / worthUnit < minimumHomeAmount(config) ||
      ((budget / from.best.ask) * worth) / worthUnit < minimumHomeAmount(config);
    return { trades: false, why: isInventoryShort ? "inventory" : "small", observed };
  }
  const requests = [
    orderRequest(from, "buy", quantity, ask),
    orderRequest(to, "sell", quantity, bid),
  ];
  return { trades: true, purpose: "arbitrage", requests, observed };
}
