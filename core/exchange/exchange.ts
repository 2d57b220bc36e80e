import { priceFreshMs } from "#core/market/freshness.ts";
import { type MarketSymbol, symbols } from "#core/market/symbols.ts";
import { type Coin, coinScale } from "#core/money/coins.ts";
import { divideDown, divideUp } from "#core/money/rounding.ts";
import { computeWorth, displayCurrency, valuedBy } from "#core/wallet/valuation.ts";

/** The rate's distance from the index, against the person, in basis points. */
export const exchangeSpreadBp = 10;
/** Fee on the amount given, in basis points, rounded up. */
export const exchangeFeeBp = 10;
/**
 * How long a quote is firm, in real milliseconds. Real time, as for everything a person reads and
 * responds to: at speed 60, fifteen seconds of world time are a quarter of a second.
 * `decideExecution` removes the option value that a quote would have over that time.
 */
export const quoteLifeMs = 15_000;
/** The most one quote exchanges: 1 000 000 pUSDT worth at the index, in minor units of pUSDT. */
export const exchangeWorthMax = 1_000_000_000_000n;
/**
 * The most that an exchange's index may precede it, in real milliseconds: a fresh index at the
 * quote, the time for which the quote is firm, and room for the posting.
 */
export const indexAgeMaxMs = priceFreshMs + quoteLifeMs + 5_000;
/** The most one posting can move, in minor units (docs/rules/ledger.md). */
export const exchangeMax = 100_000_000_000_000_000n;

/**
 * An exchange against the index of one market. Amounts are minor units; rate and index are integers
 * at the symbol's scale.
 */
export interface ExchangeStep {
  symbol: MarketSymbol;
  /** `buy` when the market's base coin is received for pUSDT, `sell` when it is given for pUSDT. */
  side: "buy" | "sell";
  from: Coin;
  to: Coin;
  given: bigint;
  /** On `given`, rounded up. */
  fee: bigint;
  index: bigint;
  /**
   * Index + 10 bp rounded up (buy) or index − 10 bp rounded down (sell): against the person either
   * way.
   */
  rate: bigint;
  /** (given − fee) at the rate, rounded down. */
  received: bigint;
  /**
   * The amount that the fee would have bought at the index, in `to`. Together with `spreadCost` it
   * is the part of `given`'s worth that was not received.
   */
  feeCost: bigint;
  /** The cost of the rate's distance from the index, in `to`. */
  spreadCost: bigint;
}

export interface ExchangeQuote {
  from: Coin;
  to: Coin;
  given: bigint;
  received: bigint;
  /** `given` at the index without fee or spread, in `to`, rounded down. */
  atIndex: bigint;
  /** `atIndex` − `received`: the total cost of the exchange. */
  cost: bigint;
  /** One step, or two through pUSDT. */
  steps: readonly ExchangeStep[];
}

export type ExchangeError = "same_coin" | "no_price" | "too_small" | "too_large" | "over_limit";

/** The index of a market at one second; null in a gap or if this world lacks the market. */
export type IndexAt = (symbol: MarketSymbol) => bigint | null;

/**
 * Quotes the exchange of `given` minor units at an index. A pair without a pUSDT market is two
 * consecutive exchanges, each with its own fee and spread, exactly as if done by hand. Source:
 * docs/rules/wallet.md, "Exchange".
 */
export function quoteExchange(
  { from, to, given: inputAmount }: { from: Coin; to: Coin; given: bigint },
  indexAt: IndexAt,
): { ok: true; quote: ExchangeQuote } | { ok: false; error: ExchangeError } {
  if (from === to) return { ok: false, error: "same_coin" };
  if (inputAmount > exchangeMax) return { ok: false, error: "too_large" };
  const path = toPath(from, to);
  const steps: ExchangeStep[] = [];
  let amount = inputAmount;
  for (const [source, target] of path) {
    const symbol = symbolBetween(source, target);
    const index = indexAt(symbol);
    if (index === null || index <= 0n) return { ok: false, error: "no_price" };
    const worth = source === displayCurrency ? amount : computeWorth(source, amount, index);
    if (worth === null || worth > exchangeWorthMax) return { ok: false, error: "over_limit" };
    const step = computeStep(source, target, symbol, index, amount);
    if (step.received <= 0n) return { ok: false, error: "too_small" };
    if (step.received > exchangeMax) return { ok: false, error: "too_large" };
    steps.push(step);
    amount = step.received;
  }
  const atIndex = worthAtIndex(from, to, inputAmount, indexAt);
  if (atIndex === null) return { ok: false, error: "no_price" };
  const quote = {
    from,
    to,
    given: inputAmount,
    received: amount,
    atIndex,
    cost: atIndex - amount,
    steps,
  };
  return { ok: true, quote };
}

/**
 * The least amount of `from` whose quote brings at least `received`, in minor units; null without
 * an index, or where no quote could bring it. It may bring more where a minor unit of `from` is
 * worth several of `to`.
 */
export function computeGivenFor(
  { from, to, received }: { from: Coin; to: Coin; received: bigint },
  indexAt: IndexAt,
): bigint | null {
  if (from === to || received <= 0n) return null;
  let amount = received;
  for (const [source, target] of toPath(from, to).reverse()) {
    const symbol = symbolBetween(source, target);
    const index = indexAt(symbol);
    if (index === null || index <= 0n) return null;
    const side = source === displayCurrency ? "buy" : "sell";
    const { over, under } = computePrice(
      { symbol, side, from: source, to: target },
      computeRate(side, index),
    );
    if (over === 0n) return null;
    const afterFee = divideUp(amount * under, over);
    amount = divideUp(afterFee * 10_000n, BigInt(10_000 - exchangeFeeBp));
  }
  return amount > exchangeMax ? null : amount;
}

/**
 * Decides if a quote may be executed at the index of the last closed second: as long as the amount
 * given is worth, at that index, its worth when quoted, give or take the quote's cost. Past it the
 * rate has moved. So a person who waits for the index to move never receives more than they give,
 * at any world speed, and never less than what they give minus twice the cost. Source:
 * docs/rules/wallet.md, "Exchange".
 */
export function decideExecution(
  { from, to, given: inputAmount, received, atIndex }: Omit<ExchangeQuote, "steps" | "cost">,
  indexAt: IndexAt,
): "stands" | "moved" | "no_price" {
  const currentWorth = worthAtIndex(from, to, inputAmount, indexAt);
  if (currentWorth === null) return "no_price";
  const cost = atIndex - received;
  return currentWorth >= atIndex - cost && currentWorth <= atIndex + cost ? "stands" : "moved";
}

/** The worth of `given` in `to` at the index, rounded down once; null without an index. */
export function worthAtIndex(
  from: Coin,
  to: Coin,
  amount: bigint,
  indexAt: IndexAt,
): bigint | null {
  if (from === to) return amount;
  let worth: Fraction = { over: amount, under: 1n };
  for (const [source, target] of toPath(from, to)) {
    const symbol = symbolBetween(source, target);
    const index = indexAt(symbol);
    if (index === null || index <= 0n) return null;
    const side = source === displayCurrency ? "buy" : "sell";
    worth = times(worth, computePrice({ symbol, side, from: source, to: target }, index));
  }
  return divideDown(worth.over, worth.under);
}

/**
 * Pairs without pUSDT go through it like two exchanges by hand, in one journal with both fees: a
 * cross rate of two indexes with one fee would be a price no market has. No other market is used,
 * so a pair has the same path in every world.
 */
function toPath(from: Coin, to: Coin): [Coin, Coin][] {
  if (from === displayCurrency || to === displayCurrency) return [[from, to]];
  return [
    [from, displayCurrency],
    [displayCurrency, to],
  ];
}

/** The market of a pair in which one coin is pUSDT. */
function symbolBetween(from: Coin, to: Coin): MarketSymbol {
  const symbol = valuedBy[from] ?? valuedBy[to];
  if (symbol === null) throw new RangeError(`${from} and ${to} have no market`);
  return symbol;
}

function computeRate(side: ExchangeStep["side"], index: bigint): bigint {
  return side === "buy"
    ? divideUp(index * BigInt(10_000 + exchangeSpreadBp), 10_000n)
    : divideDown(index * BigInt(10_000 - exchangeSpreadBp), 10_000n);
}

function computeStep(
  from: Coin,
  to: Coin,
  symbol: MarketSymbol,
  index: bigint,
  inputAmount: bigint,
): ExchangeStep {
  const side = from === displayCurrency ? "buy" : "sell";
  const fee = divideUp(inputAmount * BigInt(exchangeFeeBp), 10_000n);
  const rate = computeRate(side, index);
  const base = { symbol, side, from, to } as const;
  const convert = (amount: bigint, price: bigint) => {
    const { over, under } = computePrice(base, price);
    return under === 0n ? 0n : divideDown(amount * over, under);
  };
  const received = convert(inputAmount - fee, rate);
  const withoutSpread = convert(inputAmount - fee, index);
  const feeCost = convert(inputAmount, index) - withoutSpread;
  const spreadCost = withoutSpread - received;
  return { ...base, given: inputAmount, fee, index, rate, received, feeCost, spreadCost };
}

interface Fraction {
  over: bigint;
  under: bigint;
}

/** Minor units of `to` per minor unit of `from` at a price. */
function computePrice(
  { symbol, side, from, to }: Pick<ExchangeStep, "symbol" | "side" | "from" | "to">,
  price: bigint,
): Fraction {
  const priceUnit = 10n ** BigInt(symbols[symbol].scale);
  const unit = (coin: Coin) => 10n ** BigInt(coinScale(coin));
  return side === "buy"
    ? { over: priceUnit * unit(to), under: price * unit(from) }
    : { over: price * unit(to), under: priceUnit * unit(from) };
}

function times(a: Fraction, b: Fraction): Fraction {
  return { over: a.over * b.over, under: a.under * b.under };
}
