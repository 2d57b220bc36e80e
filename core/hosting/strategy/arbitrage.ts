import { assets, getSymbolAssets } from "#core/hosting/assets.ts";
import type { BooksBody, OrderBody } from "#core/hosting/bodies.ts";
import { sizeToMinor } from "#core/hosting/execute.ts";
import { computeGap } from "#core/hosting/strategy/sides.ts";

type Decision = NonNullable<BooksBody["decision"]>;
type Terms = Record<string, unknown>;

/**
 * Returns true if an `arbitrage` decision follows from its own books: the gap, the gap needed, and
 * each limit (rule "When a strategy trades").
 */
export function checkArbitrage(terms: Terms, decision: Decision): boolean {
  const fee = BigInt(terms.taker_fee_bp as number);
  const margin = BigInt(terms.margin_bp as number);
  const limit = BigInt(terms.limit_bp as number);
  if (terms.strategy === "cross") return crossHolds(decision, fee, margin, limit);
  return terms.strategy === "triangle" && triangleHolds(decision, fee, margin, limit);
}

function crossHolds(decision: Decision, fee: bigint, margin: bigint, limit: bigint): boolean {
  const [buy, sell] = decision.orders;
  if (decision.orders.length !== 2 || buy?.side !== "buy" || sell?.side !== "sell") return false;
  const best = { ask: bestPrice(buy), bid: bestPrice(sell) };
  const worstPrices = { ask: worstPrice(buy), bid: worstPrice(sell) };
  if (buy.symbol !== sell.symbol || worstPrices.ask === null || worstPrices.bid === null)
    return false;
  const neededGap = computeGap((10_000n + fee) * 10_000n, (10_000n - fee - margin) * 10_000n);
  return (
    buy.quantity === sell.quantity &&
    decision.gap === computeGap(best.bid, best.ask) &&
    decision.needed === neededGap &&
    worstPrices.bid * (10_000n - fee - margin) > worstPrices.ask * (10_000n + fee) &&
    buy.limit === `${limitAt(worstPrices.ask, "buy", limit)}` &&
    sell.limit === `${limitAt(worstPrices.bid, "sell", limit)}`
  );
}

function triangleHolds(decision: Decision, fee: bigint, margin: bigint, limit: bigint): boolean {
  if (decision.orders.length !== 3) return false;
  let [output, input] = [1n, 1n];
  for (const order of decision.orders) {
    const { divisor, quoteUnit } = getSymbolAssets(order.symbol);
    const price = bestPrice(order);
    output *= order.side === "buy" ? divisor : price * quoteUnit;
    input *= order.side === "buy" ? price * quoteUnit : divisor;
    if (order.limit !== `${limitAt(price, order.side, limit)}`) return false;
  }
  const afterFees = (10_000n - fee) ** 3n;
  const required = 10_000n ** 2n * (10_000n + margin);
  return (
    decision.gap === computeGap(output, input) &&
    decision.needed === computeGap(required, afterFees) &&
    output * afterFees > input * required
  );
}

const getSide = ({ side, book }: OrderBody) => (side === "buy" ? book.asks : book.bids);
const bestPrice = (order: OrderBody) => BigInt(getSide(order)[0]?.[0] ?? 0);

/**
 * The price of the level at which the order's quantity is reached; null when the book is not that
 * deep.
 */
function worstPrice(order: OrderBody): bigint | null {
  const { scale } = assets[getSymbolAssets(order.symbol).base];
  let remaining = BigInt(order.quantity);
  for (const [price, size] of getSide(order)) {
    remaining -= sizeToMinor(BigInt(size), scale);
    if (remaining <= 0n) return BigInt(price);
  }
  return null;
}

function limitAt(price: bigint, side: OrderBody["side"], limit: bigint): bigint {
  return side === "buy"
    ? (price * (10_000n + limit)) / 10_000n
    : (price * (10_000n - limit) + 9_999n) / 10_000n;
}
