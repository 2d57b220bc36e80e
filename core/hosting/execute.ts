import { assets, getSymbolAssets } from "#core/hosting/assets.ts";
import { type Friction, getFeeBp, scaleSide } from "#core/hosting/friction.ts";
import type { PendingOrder, Pnl } from "#core/hosting/types.ts";
import { worthUnit } from "#core/hosting/value.ts";
import { type Book, sizeScale } from "#core/market/book.ts";
import { divideDown, divideUp } from "#core/money/rounding.ts";

/** The result of executing an order against a book. */
export interface Execution {
  /** In base minor units; 0 if nothing filled. */
  quantity: bigint;
  /**
   * Paid (buy, rounded up) or received (sell, rounded down) before the fee, in quote minor units;
   * then the fee, rounded up.
   */
  quote: bigint;
  fee: bigint;
  why: null | "part" | "beyond_limit" | "no_depth" | "no_money";
}

/** A book's size in minor units of the base asset, truncated. */
export function sizeToMinor(size: bigint, baseScale: number): bigint {
  const shift = baseScale - sizeScale;
  return shift >= 0 ? size * 10n ** BigInt(shift) : size / 10n ** BigInt(-shift);
}

/**
 * Walks the book from the best price: takes what each level offers, up to the order's quantity and
 * limit and up to `held`, the venue's stock of the asset given (quote for a buy, fee included; base
 * for a sell). The unfilled rest is not retried.
 */
export function executeOrder(
  order: Pick<PendingOrder, "symbol" | "side" | "quantity" | "limit">,
  book: Book,
  held: bigint,
  friction: Friction,
): Execution {
  const { base, divisor, quoteUnit } = getSymbolAssets(order.symbol);
  const buys = order.side === "buy";
  const fee = getFeeBp(friction);
  let remaining = !buys && held < order.quantity ? held : order.quantity;
  // Rounding up cost and fee adds less than two minor units, so the sum never exceeds the balance.
  let budget = buys ? ((held - 2n) * divisor * 10_000n) / (quoteUnit * (10_000n + fee)) : 0n;
  let quantity = 0n;
  let product = 0n;
  let isBeyondLimit = false;
  for (const { price, size } of scaleSide(book, buys ? "asks" : "bids", friction)) {
    if (remaining <= 0n) break;
    isBeyondLimit = buys ? price > order.limit : price < order.limit;
    if (isBeyondLimit) break;
    let take = sizeToMinor(size, assets[base].scale);
    if (take > remaining) take = remaining;
    if (buys && take * price > budget) {
      take = budget > 0n ? budget / price : 0n;
      remaining = take;
    }
    quantity += take;
    product += take * price;
    budget -= take * price;
    remaining -= take;
  }
  if (quantity === 0n) {
    const hasNoMoney = buys ? held <= 2n : held <= 0n;
    const why = hasNoMoney ? "no_money" : isBeyondLimit ? "beyond_limit" : "no_depth";
    return { quantity, quote: 0n, fee: 0n, why };
  }
  const quote = buys
    ? divideUp(product * quoteUnit, divisor)
    : divideDown(product * quoteUnit, divisor);
  return {
    quantity,
    quote,
    fee: divideUp(quote * fee, 10_000n),
    why: quantity === order.quantity ? null : "part",
  };
}

/**
 * The pnl of a fill, in minor units of home by the index at the decision. Gross: the result at the
 * decision's mid without costs, against the index. Slippage: mid against the price paid. So gross −
 * slippage − fees is how much a decision's legs changed the pool's value, apart from price changes
 * of its inventory. Trading results are separated from price changes, at the index of the decision:
 * a pool that is half bitcoin gains and loses mostly through bitcoin, and one good week of it would
 * sell the strategy.
 */
export function computePnl(order: PendingOrder, execution: Execution): Pnl {
  const { divisor, quoteUnit } = getSymbolAssets(order.symbol);
  const sign = order.side === "buy" ? 1n : -1n;
  const base = sign * execution.quantity * order.baseWorth;
  const atMid =
    (sign * execution.quantity * order.mid2 * quoteUnit * order.quoteWorth) / (2n * divisor);
  const paidWorth = sign * execution.quote * order.quoteWorth;
  return {
    gross: (base - atMid) / worthUnit,
    slippage: (paidWorth - atMid) / worthUnit,
    fees: (execution.fee * order.quoteWorth) / worthUnit,
  };
}
