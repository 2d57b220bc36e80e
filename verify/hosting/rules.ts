import { divideDown, divideUp } from "../log/bytes.ts";
import type { Second, World } from "../log/leaves.ts";
import type { StatedBook, StatedOrder } from "./leaves.ts";

/** The arithmetic of docs/rules/hosting.md, implemented from that text. */

/** Digits after the point of the assets pools own. */
const digits: Record<string, number> = { BTC: 8, ETH: 9, USDT: 6, USDC: 6, USD: 6 };
export const home = "USDT";
const sizeDigits = 8;
const ten18 = 10n ** 18n;
const power = (exponent: number) => 10n ** BigInt(exponent);

export interface Pair {
  base: string;
  quote: string;
  /** Quantity × price × `times` / `over` gives an amount of quote. */
  times: bigint;
  over: bigint;
  baseDigits: number;
}

/** The two assets of one of the world's symbols; null if pools cannot own them. */
export function findPair(world: World, symbol: string): Pair | null {
  const [base = "", quote = ""] = symbol.split("/");
  const listedSymbol = world.symbols.find(({ name }) => name === symbol);
  const [baseDigits, quoteDigits] = [digits[base], digits[quote]];
  if (!listedSymbol || baseDigits === undefined || quoteDigits === undefined) return null;
  const divisor = power(baseDigits + listedSymbol.scale);
  return { base, quote, times: power(quoteDigits), over: divisor, baseDigits };
}

/** Worth of 10¹⁸ minor units of an asset in home, by the indexes of one second; null in a gap. */
export function computeWorth(world: World, second: Second, asset: string): bigint | null {
  if (asset === home) return ten18;
  for (const [column, { name, scale }] of world.symbols.entries()) {
    const index = second.columns[column]?.index ?? null;
    const [base = "", quote = ""] = name.split("/");
    const oneUnit = power(digits[home] as number);
    if (base === asset && quote === home)
      return index && (index * ten18 * oneUnit) / power((digits[asset] as number) + scale);
    if (base === home && quote === asset)
      return index && (ten18 * oneUnit * power(scale)) / (index * power(digits[asset] as number));
  }
  return null;
}

/** ⌊amount × worth / 10¹⁸⌋ */
export const toHomeUnits = (amount: bigint, worth: bigint): bigint => (amount * worth) / ten18;

const levels = ({ side, book }: Pick<StatedOrder, "side"> & { book: StatedBook }) =>
  (side === "buy" ? book.asks : book.bids).map(([price, size]) => ({
    price: BigInt(price),
    size: BigInt(size),
  }));

/** A book's size in base minor units, truncated. */
function inMinor(size: bigint, { baseDigits }: Pair): bigint {
  return baseDigits >= sizeDigits
    ? size * power(baseDigits - sizeDigits)
    : size / power(sizeDigits - baseDigits);
}

export interface Fill {
  quantity: bigint;
  quote: bigint;
  fee: bigint;
  why: string | null;
}

/**
 * "Fills": the result of an order at a book. `balance` is the amount it may spend, quote (buy) or
 * base (sell); null when unknown.
 */
export function computeFill(
  pair: Pair,
  order: { side: "buy" | "sell"; quantity: bigint; limit: bigint },
  book: StatedBook,
  balance: bigint | null,
  feeBp: bigint,
): Fill {
  const buys = order.side === "buy";
  const quantityMax =
    !buys && balance !== null && balance < order.quantity ? balance : order.quantity;
  const spendable =
    buys && balance !== null
      ? ((balance - 2n) * 10_000n * pair.over) / ((10_000n + feeBp) * pair.times)
      : null;
  let [quantity, product] = [0n, 0n];
  let stoppedByLimit = false;
  for (const { price, size } of levels({ side: order.side, book })) {
    if (quantity >= quantityMax) break;
    if (buys ? price > order.limit : price < order.limit) {
      stoppedByLimit = true;
      break;
    }
    const offered = inMinor(size, pair);
    const remaining = quantityMax - quantity;
    let takenSize = offered < remaining ? offered : remaining;
    const affordable =
      spendable === null ? takenSize : spendable > product ? (spendable - product) / price : 0n;
    const isSpent = affordable < takenSize;
    if (isSpent) takenSize = affordable;
    quantity += takenSize;
    product += takenSize * price;
    if (isSpent) break;
  }
  if (quantity === 0n) {
    const hasNoMoney = balance !== null && balance <= (buys ? 2n : 0n);
    return {
      quantity,
      quote: 0n,
      fee: 0n,
      why: hasNoMoney ? "no_money" : stoppedByLimit ? "beyond_limit" : "no_depth",
    };
  }
  const quote = buys
    ? divideUp(product * pair.times, pair.over)
    : divideDown(product * pair.times, pair.over);
  const why = quantity === order.quantity ? null : "part";
  return { quantity, quote, fee: divideUp(quote * feeBp, 10_000n), why };
}

/**
 * "Takings" of a fill, in home by the worths at the decision. BigInt division truncates towards
 * zero, as do all roundings here.
 */
export function computePnl(pair: Pair, order: StatedOrder, fill: Fill) {
  const sign = order.side === "buy" ? 1n : -1n;
  const [baseWorth, quoteWorth] = [BigInt(order.base_worth), BigInt(order.quote_worth)];
  const atIndex = sign * fill.quantity * baseWorth;
  const atMid =
    (sign * fill.quantity * BigInt(order.mid2) * pair.times * quoteWorth) / (2n * pair.over);
  return {
    gross: (atIndex - atMid) / ten18,
    slippage: (sign * fill.quote * quoteWorth - atMid) / ten18,
    fees: (fill.fee * quoteWorth) / ten18,
  };
}

/** A gap in hundredths of a basis point, truncated. */
const computeGap = (numerator: bigint, denominator: bigint): number =>
  Number(((numerator - denominator) * 1_000_000n) / denominator);

/** A limit: the worst decided price ± `bp`, rounded in the taker's favour. */
function getLimit(side: "buy" | "sell", price: bigint, bp: bigint): bigint {
  return side === "buy"
    ? divideDown(price * (10_000n + bp), 10_000n)
    : divideUp(price * (10_000n - bp), 10_000n);
}

/**
 * The price of the level at which the order's quantity is reached; null when the book is not that
 * deep.
 */
function findLastPrice(pair: Pair, order: StatedOrder): bigint | null {
  let remaining = BigInt(order.quantity);
  for (const { price, size } of levels(order)) {
    remaining -= inMinor(size, pair);
    if (remaining <= 0n) return price;
  }
  return null;
}

interface Costs {
  strategy: string;
  fee: bigint;
  margin: bigint;
  limit: bigint;
}

/** "When a strategy trades": the first fault of a decision by its own books, or null. */
export function findArbitrageFault(
  world: World,
  { strategy, fee, margin, limit }: Costs,
  decision: { gap: number; needed: number; orders: StatedOrder[] },
): string | null {
  const legs = decision.orders.map((order) => ({
    order,
    pair: findPair(world, order.symbol) as Pair,
    best: levels(order)[0]?.price ?? 0n,
  }));
  let [output, input] = [1n, 1n];
  let neededGap: [bigint, bigint];
  if (strategy === "cross") {
    const [buy, sell] = legs;
    if (legs.length !== 2 || buy?.order.side !== "buy" || sell?.order.side !== "sell")
      return "not one buy and one sell";
    if (buy.order.symbol !== sell.order.symbol || buy.order.quantity !== sell.order.quantity)
      return "its legs differ";
    [output, input] = [sell.best, buy.best];
    neededGap = [10_000n + fee, 10_000n - fee - margin];
    const [worstAsk, worstBid] = [
      findLastPrice(buy.pair, buy.order),
      findLastPrice(sell.pair, sell.order),
    ];
    if (worstAsk === null || worstBid === null) return "more than its books offer";
    if (worstBid * neededGap[1] <= worstAsk * neededGap[0]) return "its last level does not pay";
    if (BigInt(buy.order.limit) !== getLimit("buy", worstAsk, limit)) return "limit of leg 0";
    if (BigInt(sell.order.limit) !== getLimit("sell", worstBid, limit)) return "limit of leg 1";
  } else if (strategy === "triangle" && legs.length === 3) {
    for (const [leg, { order, pair, best }] of legs.entries()) {
      output *= order.side === "buy" ? pair.over : best * pair.times;
      input *= order.side === "buy" ? best * pair.times : pair.over;
      if (BigInt(order.limit) !== getLimit(order.side, best, limit)) return `limit of leg ${leg}`;
    }
    neededGap = [(10_000n + margin) * 10_000n ** 2n, (10_000n - fee) ** 3n];
  } else return `no trade of ${strategy}`;
  if (input === 0n || output * neededGap[1] <= input * neededGap[0]) return "the gap does not pay";
  if (computeGap(output, input) !== decision.gap) return `gap ${computeGap(output, input)}`;
  if (computeGap(neededGap[0], neededGap[1]) !== decision.needed)
    return `needed ${computeGap(neededGap[0], neededGap[1])}`;
  return null;
}
