import { assets, assetsOfSymbol } from "#core/hosting/assets.ts";
import { type Friction, feeBp, scaleSide } from "#core/hosting/friction.ts";
import type { PendingOrder, Pnl } from "#core/hosting/types.ts";
import { worthUnit } from "#core/hosting/value.ts";
import { type Book, sizeScale } from "#core/market/book.ts";
import { divideDown, divideUp } from "#core/money/rounding.ts";

/** What an order got from a book. */
export interface Execution {
  /** In base minor units; 0: nothing. */
  quantity: bigint;
  /**
   * Paid (buy, rounded up) or received (sell, rounded down) before the fee, in quote minor units;
   * and the fee, up.
   */
  quote: bigint;
  fee: bigint;
  why: null | "part" | "beyond_limit" | "no_depth" | "no_money";
}

/** A size of a book in minor units of the base asset, cut. */
export function sizeOf(size: bigint, baseScale: number): bigint {
  const shift = baseScale - sizeScale;
  return shift >= 0 ? size * 10n ** BigInt(shift) : size / 10n ** BigInt(-shift);
}

/**
 * Walks the book from the best price on: takes what each level offers up to the order's quantity
 * and limit, and up to `held`, what the venue has of the asset to be given (quote for a buy, its
 * fee included; base for a sell). The rest is not tried again.
 */
export function execute(
  order: Pick<PendingOrder, "symbol" | "side" | "quantity" | "limit">,
  book: Book,
  held: bigint,
  friction: Friction,
): Execution {
  const { base, divisor, quoteUnit } = assetsOfSymbol(order.symbol);
  const buys = order.side === "buy";
  const fee = feeBp(friction);
  let left = !buys && held < order.quantity ? held : order.quantity;
  // The two roundings up of cost and fee take less than two minor units, so that the sum never
  // passes what is there.
  let budget = buys ? ((held - 2n) * divisor * 10_000n) / (quoteUnit * (10_000n + fee)) : 0n;
  let quantity = 0n;
  let product = 0n;
  let beyond = false;
  for (const { price, size } of scaleSide(book, buys ? "asks" : "bids", friction)) {
    if (left <= 0n) break;
    beyond = buys ? price > order.limit : price < order.limit;
    if (beyond) break;
    let take = sizeOf(size, assets[base].scale);
    if (take > left) take = left;
    if (buys && take * price > budget) {
      take = budget > 0n ? budget / price : 0n;
      left = take;
    }
    quantity += take;
    product += take * price;
    budget -= take * price;
    left -= take;
  }
  if (quantity === 0n) {
    const poor = buys ? held <= 2n : held <= 0n;
    const why = poor ? "no_money" : beyond ? "beyond_limit" : "no_depth";
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
 * What an execution made, in minor units of home by the index at the decision. Gross: what it would
 * have made at the mid of the decision without cost, against the index. Slippage: mid against what
 * was paid. So gross − slippage − fees is what the legs of a decision changed the pool's value by,
 * whatever prices did to the stock meanwhile. What trading made is told apart from what prices did,
 * at the index of the decision: a pool that is half bitcoin gains and loses mostly by bitcoin, and
 * a good week of it would sell the strategy.
 */
export function pnlOf(order: PendingOrder, done: Execution): Pnl {
  const { divisor, quoteUnit } = assetsOfSymbol(order.symbol);
  const sign = order.side === "buy" ? 1n : -1n;
  const base = sign * done.quantity * order.baseWorth;
  const atMid = (sign * done.quantity * order.mid2 * quoteUnit * order.quoteWorth) / (2n * divisor);
  const paid = sign * done.quote * order.quoteWorth;
  return {
    gross: (base - atMid) / worthUnit,
    slippage: (paid - atMid) / worthUnit,
    fees: (done.fee * order.quoteWorth) / worthUnit,
  };
}
