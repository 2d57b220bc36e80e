import { type Asset, getSymbolAssets } from "#core/hosting/assets.ts";
import { type Friction, getFeeBp } from "#core/hosting/friction.ts";
import { getHeldAt } from "#core/hosting/state.ts";
import { bandBp, limitBp } from "#core/hosting/strategy/parameters.ts";
import {
  computeGap,
  type FreshBook,
  getFreshBook,
  getLevels,
  getMargin,
  minimumHomeAmount,
  orderRequest,
} from "#core/hosting/strategy/sides.ts";
import type {
  Moment,
  Observation,
  PoolConfig,
  PoolState,
  Side,
  Strategy,
  StrategyResult,
} from "#core/hosting/types.ts";
import { listAssets } from "#core/hosting/value.ts";
import { min } from "#core/money/amount.ts";

/**
 * Triangular arbitrage on one venue: three symbols that form a loop, all three legs at the same
 * moment, from stock in each of the three assets. Trades at most the size at each book's best
 * level.
 */
export const triangle: Strategy = {
  name: "triangle",
  weights: (config) => {
    const [, firstCoin, secondCoin] = listAssets(config);
    return { [firstCoin!]: 3_333, [secondCoin!]: 3_333 };
  },
  bandBp,
  words: {
    does: "hosting.triangle_does",
    loses: "hosting.triangle_loses",
    costs: "hosting.triangle_costs",
  },
  decide,
};

/** One leg of a loop: gives `from`, receives `to`. */
interface Leg {
  book: FreshBook;
  side: Side;
  from: Asset;
  to: Asset;
  price: bigint;
}

function decide(
  config: PoolConfig,
  friction: Friction,
  state: PoolState,
  moment: Moment,
): StrategyResult {
  const venue = config.venues[0]!;
  const books: FreshBook[] = [];
  for (const symbol of config.symbols) {
    const book = getFreshBook(moment, venue, symbol, friction);
    if (!book) return { trades: false, why: "stale", observed: null };
    books.push(book);
  }
  const [home, firstCoin, secondCoin] = listAssets(config) as [Asset, Asset, Asset];
  const loops = [
    buildLegs(books, [home, firstCoin, secondCoin]),
    buildLegs(books, [home, secondCoin, firstCoin]),
  ].map((legs) => ({ legs, ...computeRatio(legs) }));
  const [forward, backward] = loops as [(typeof loops)[0], (typeof loops)[0]];
  const betterLoop =
    forward.out * backward.into >= backward.out * forward.into ? forward : backward;
  const fee = getFeeBp(friction);
  const margin = getMargin(config);
  const afterFees = (10_000n - fee) ** 3n;
  const observation = {
    gap: computeGap(betterLoop.out, betterLoop.into),
    needed: computeGap((10_000n + margin) * 10_000n ** 2n, afterFees),
  };
  if (betterLoop.out * afterFees <= betterLoop.into * 10_000n ** 2n * (10_000n + margin)) {
    return { trades: false, why: "gap", observed: observation };
  }
  return sizeLoop(config, friction, state, betterLoop.legs, observation);
}

function buildLegs(books: readonly FreshBook[], loop: readonly Asset[]): Leg[] {
  return loop.map((from, index) => {
    const to = loop[(index + 1) % 3]!;
    for (const book of books) {
      const { base, quote } = getSymbolAssets(book.symbol);
      if (base === to && quote === from)
        return { book, side: "buy", from, to, price: book.best.ask };
      if (base === from && quote === to)
        return { book, side: "sell", from, to, price: book.best.bid };
    }
    throw new RangeError("the symbols of a triangle must close a loop");
  });
}

/** Output over input of the loop, in minor units of home, before fees. */
function computeRatio(legs: readonly Leg[]): { out: bigint; into: bigint } {
  let [output, input] = [1n, 1n];
  for (const { book, side, price } of legs) {
    const { divisor, quoteUnit } = getSymbolAssets(book.symbol);
    output *= side === "buy" ? divisor : price * quoteUnit;
    input *= side === "buy" ? price * quoteUnit : divisor;
  }
  return { out: output, into: input };
}

/** Sizes the largest loop that the best level of each book and the stock of each asset allow. */
function sizeLoop(
  config: PoolConfig,
  friction: Friction,
  state: PoolState,
  legs: readonly Leg[],
  observation: Observation,
): StrategyResult {
  const fee = getFeeBp(friction);
  // Send a probe round the loop to express every limit in the home asset.
  const probe = 10n ** 24n;
  let amount = probe;
  let depthLimit = 10n ** 30n;
  let stock = depthLimit;
  const steps = legs.map((leg) => {
    const { divisor, quoteUnit } = getSymbolAssets(leg.book.symbol);
    const amountIn = amount;
    amount =
      leg.side === "buy"
        ? (amountIn * divisor) / (leg.price * quoteUnit)
        : (amountIn * leg.price * quoteUnit) / divisor;
    const base = leg.side === "buy" ? amount : amountIn;
    const offered = getLevels(leg.book, leg.side, friction)[0]?.size ?? 0n;
    depthLimit = min(depthLimit, (offered * probe) / base);
    // A buy also pays its fee, and a price up to its limit, from this stock.
    const room = leg.side === "buy" ? 10_000n + fee + limitBp + 1n : 10_000n;
    const balance = (getHeldAt(state, leg.book.venue, leg.from) * 10_000n) / room;
    stock = min(stock, (balance * probe) / amountIn);
    return { leg, base };
  });
  const home = min(depthLimit, stock);
  if (home < minimumHomeAmount(config)) {
    return {
      trades: false,
      why: stock < minimumHomeAmount(config) ? "inventory" : "small",
      observed: observation,
    };
  }
  const requests = steps.map(({ leg, base }) =>
    orderRequest(leg.book, leg.side, (base * home) / probe, leg.price),
  );
  return { trades: true, purpose: "arbitrage", requests, observed: observation };
}
