import type { Book, BookLevel } from "#core/market/book.ts";
import { sizeScale } from "#core/market/book.ts";
import { type MarketSymbol, symbols } from "#core/market/symbols.ts";
import { divideDown, divideUp } from "#core/money/rounding.ts";

/** Hundredths of a basis point in one (100 %): the unit of a venue's fee. */
export const feeUnit = 1_000_000n;

/** An amount that could have been traded at a venue: as a taker, in one complete fill. */
export interface VenueOrder {
  symbol: MarketSymbol;
  /** `buy`: quote is given for base. */
  side: "buy" | "sell";
  /** In minor units of the asset given; the scales are of base and quote. */
  given: bigint;
  baseScale: number;
  quoteScale: number;
}

/**
 * The amount received if executed at a venue, in minor units of the asset received: `received` =
 * worth at the earlier mid − `delay` − `spread` − `fee`. A delay is negative where the price moved
 * in favour.
 */
export interface VenueExecution {
  received: bigint;
  /** Half the spread, and the cost of the book's depth. */
  spread: bigint;
  fee: bigint;
  /** The move of the mid between decision and fill; null if the earlier mid is unknown. */
  delay: bigint | null;
  /** The levels that the order consumed, as the venue showed them. */
  levels: readonly BookLevel[];
}

/**
 * Trades an amount against a venue's whole visible book, with the venue's taker fee in hundredths
 * of a basis point; null if the book is not that deep. `midBefore2` is twice the venue's mid at the
 * decision. Source: docs/rules/market.md, "The same at the venues".
 */
export function tradeAtVenue(
  order: VenueOrder,
  book: Book,
  takerFee: number,
  midBefore2: bigint | null,
): VenueExecution | null {
  const [bid, ask] = [book.bids[0]?.price, book.asks[0]?.price];
  if (bid === undefined || ask === undefined) return null;
  const feeUnits = BigInt(takerFee);
  const atMid = (amount: bigint, mid2: bigint) => worthAtMid(order, amount, mid2);
  const walk =
    order.side === "sell"
      ? sell(order, book.bids, feeUnits)
      : buy(order, book.asks, feeUnits, (fee) => atMid(fee, bid + ask));
  if (!walk) return null;
  const worthNow = atMid(order.given, bid + ask);
  const { received, fee, levels } = walk;
  const delay = midBefore2 === null ? null : atMid(order.given, midBefore2) - worthNow;
  return { received, fee, spread: worthNow - fee - received, delay, levels };
}

/** Base minor units × price, for one minor unit of quote: divisor over unit. */
function getUnits({ symbol, baseScale, quoteScale }: VenueOrder) {
  return {
    divisor: 10n ** BigInt(baseScale + symbols[symbol].scale),
    quoteUnit: 10n ** BigInt(quoteScale),
  };
}

function worthAtMid(order: VenueOrder, amount: bigint, mid2: bigint): bigint {
  const { divisor, quoteUnit } = getUnits(order);
  return order.side === "sell"
    ? divideDown(amount * mid2 * quoteUnit, 2n * divisor)
    : divideDown(amount * 2n * divisor, mid2 * quoteUnit);
}

interface BookWalk {
  received: bigint;
  fee: bigint;
  levels: BookLevel[];
}

function sell(order: VenueOrder, bids: readonly BookLevel[], feeUnits: bigint): BookWalk | null {
  const { divisor, quoteUnit } = getUnits(order);
  let remaining = order.given;
  let product = 0n;
  const levels: BookLevel[] = [];
  for (const level of bids) {
    if (remaining === 0n) break;
    const size = sizeIn(level.size, order.baseScale);
    const take = size < remaining ? size : remaining;
    product += take * level.price;
    remaining -= take;
    levels.push(level);
  }
  if (remaining > 0n) return null;
  const proceeds = divideDown(product * quoteUnit, divisor);
  const fee = divideUp(proceeds * feeUnits, feeUnit);
  return { received: proceeds - fee, fee, levels };
}

function buy(
  order: VenueOrder,
  asks: readonly BookLevel[],
  feeUnits: bigint,
  inBase: (fee: bigint) => bigint,
): BookWalk | null {
  const { divisor, quoteUnit } = getUnits(order);
  const spendable = divideDown(order.given * feeUnit, feeUnit + feeUnits);
  let budget = divideDown(spendable * divisor, quoteUnit);
  let received = 0n;
  let isWhole = false;
  const levels: BookLevel[] = [];
  for (const level of asks) {
    const size = sizeIn(level.size, order.baseScale);
    const affordableSize = budget / level.price;
    isWhole = affordableSize <= size;
    const take = isWhole ? affordableSize : size;
    received += take;
    budget -= take * level.price;
    levels.push(level);
    if (isWhole) break;
  }
  return isWhole ? { received, fee: inBase(order.given - spendable), levels } : null;
}

function sizeIn(size: bigint, baseScale: number): bigint {
  const shift = baseScale - sizeScale;
  return shift >= 0 ? size * 10n ** BigInt(shift) : size / 10n ** BigInt(-shift);
}
