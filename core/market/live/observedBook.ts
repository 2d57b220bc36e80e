import { type Book, type BookLevel, sizeScale } from "#core/market/book.ts";
import { type Direction, scaleDecimal } from "#core/market/live/decimal.ts";
import type { VenueFault } from "#core/market/live/faults.ts";
import { isLate } from "#core/market/live/venueDelay.ts";
import { isValidQuote, type Quote, quoteMaxAgeMs } from "#core/market/quote.ts";

/** Levels kept of each side: as many as the other markets offer, and as hosting walks. */
export const bookDepth = 20;

/** How long an unchanged book counts while its connection is open. */
export const unchangedMaxMs = 60_000;

/** A price and a size, as a venue states them. */
type RawLevel = readonly [price: number, size: number, ...rest: unknown[]];

/** A venue's book of one symbol as it was at the end of a second. Times are world time. */
export interface ObservedBook {
  bids: readonly RawLevel[];
  asks: readonly RawLevel[];
  /** The last known change of the book. */
  changedMs: number;
  /** The last message on the book's connection. */
  heardMs: number;
  /** By how much more than usual the venue's last message was delayed. */
  lateMs: number;
}

export type ValidatedBook =
  | { fault: null; quote: Quote; book: Book }
  | { fault: VenueFault; quote: null; book: null };

const faulty = (fault: VenueFault): ValidatedBook => ({ fault, quote: null, book: null });

/**
 * The contribution of a venue's book to the second `secondMs`: a quote with its book, or the fault
 * that excludes it. The quote is as old as the last message on its connection, because an unchanged
 * book is still current.
 */
export function validateBook(
  observedBook: ObservedBook,
  scale: number,
  secondMs: number,
): ValidatedBook {
  const { bids, asks, changedMs, heardMs, lateMs } = observedBook;
  if (secondMs - heardMs > quoteMaxAgeMs) return faulty("silent");
  if (secondMs - changedMs > unchangedMaxMs) return faulty("unchanged");
  if (isLate(lateMs)) return faulty("late");
  const book = { bids: readSide(bids, scale, "down"), asks: readSide(asks, scale, "up") };
  const [bid] = book.bids;
  const [ask] = book.asks;
  if (!bid || !ask) return faulty("empty");
  const quote = { bid: bid.price, ask: ask.price, atMs: heardMs, maxAgeMs: quoteMaxAgeMs };
  return isValidQuote(quote) ? { fault: null, quote, book } : faulty("crossed");
}

/**
 * The best levels of a side at the symbol's scale. Levels that rounding merges are added up; sizes
 * are rounded down, and a level without a positive price and size is skipped.
 */
function readSide(levels: readonly RawLevel[], scale: number, direction: Direction): BookLevel[] {
  const side: BookLevel[] = [];
  for (const [rawPrice, rawSize] of levels) {
    const price = scaleDecimal(rawPrice, scale, direction);
    const size = scaleDecimal(rawSize, sizeScale, "down");
    if (!price || !size) continue;
    const last = side.at(-1);
    if (last?.price === price) last.size += size;
    else if (side.length === bookDepth) break;
    else side.push({ price, size });
  }
  return side;
}
