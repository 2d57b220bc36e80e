import type { Book, BookLevel } from "#core/market/book.ts";
import type { Quote } from "#core/market/quote.ts";
import { barQuoteMaxAgeMs } from "#core/market/quote.ts";
import type { Bar } from "#core/market/replay/bars.ts";
import { divideHalfEven } from "#core/money/rounding.ts";
import { minuteMs } from "#core/money/time.ts";

/** Levels per side, which share a tenth of the bar's volume evenly. */
const levels = 5;

/**
 * Half the spread assigned to a replayed bar: one basis point of the close or a tenth of the bar's
 * range, whichever is larger.
 */
export function computeHalfSpread(bar: Bar): bigint {
  const basisPoint = divideHalfEven(bar.close, 10_000n);
  const tenthOfRange = divideHalfEven(bar.high - bar.low, 10n);
  const half = basisPoint > tenthOfRange ? basisPoint : tenthOfRange;
  return half > 0n ? half : 1n;
}

/**
 * The quote of a bar: it exists from the bar's close and is valid for five minutes; its mid is
 * exactly the close.
 */
export function toBarQuote(bar: Bar): Quote {
  const half = computeHalfSpread(bar);
  return {
    bid: bar.close - half,
    ask: bar.close + half,
    atMs: bar.openMs + minuteMs,
    maxAgeMs: barQuoteMaxAgeMs,
  };
}

/**
 * The book of a bar: five levels a side, one half-spread apart, each with a fiftieth of the bar's
 * volume.
 */
export function toBarBook(bar: Bar): Book {
  const half = computeHalfSpread(bar);
  const size = bar.volume / BigInt(10 * levels);
  const side = (direction: bigint): BookLevel[] =>
    Array.from({ length: levels }, (_, level) => ({
      price: bar.close + direction * half * BigInt(level + 1),
      size,
    })).filter(({ price }) => price > 0n);
  return { bids: side(-1n), asks: side(1n) };
}
