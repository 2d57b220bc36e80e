import type { Book, BookLevel } from "#core/market/book.ts";
import type { BestPrices } from "#core/market/quote.ts";

/**
 * The cost of trading as a factor on docs/rules/hosting.md: 0 removes fee, spread, latency and
 * depth limits; 1 applies the rules; 2 doubles fee, spread and latency, and halves depth. Latency
 * is counted in later books of the venue (0, 1, 2) rather than by the clock: markets here quote
 * every second or minute, so 500 ms and one second would both fill on the same next book, and
 * prices between two books would be invented.
 */
const frictions = { frictionless: 0, realistic: 1, harsh: 2 } as const;
export type Friction = keyof typeof frictions;
export const frictionNames = Object.keys(frictions) as Friction[];

const takerFeeBp = 10;
/**
 * The size that a book without depth limits offers at its only price: more than any pool can own.
 */
const unlimitedSize = 10n ** 20n;

/** The taker fee of a leg in basis points. */
export function getFeeBp(friction: Friction): bigint {
  return BigInt(takerFeeBp * frictions[friction]);
}

/**
 * How many later books of its venue and symbol an order waits for before it fills. 500 ms is less
 * than the second between two books, so at friction 1 it is the next book; at 0 the order fills on
 * the book it was decided on.
 */
export function getLatencyBooks(friction: Friction): number {
  return frictions[friction];
}

/** Scales the spread around the mid; half steps round against the taker. */
export function scaleBest({ bid, ask }: BestPrices, friction: Friction): BestPrices {
  if (friction === "realistic") return { bid, ask };
  const factor = BigInt(frictions[friction]);
  return { bid: scalePrice(bid, bid + ask, factor), ask: scalePrice(ask, bid + ask, factor) };
}

/** One side of the book, from the best price outwards, with spread and depth scaled. */
export function scaleSide(book: Book, side: "asks" | "bids", friction: Friction): BookLevel[] {
  const levels = book[side];
  if (friction === "realistic") return levels as BookLevel[];
  const [bid, bestAsk] = [book.bids[0]?.price, book.asks[0]?.price];
  if (bid === undefined || bestAsk === undefined) return [];
  const factor = BigInt(frictions[friction]);
  if (factor === 0n) {
    const price =
      side === "asks" ? scalePrice(bestAsk, bid + bestAsk, 0n) : scalePrice(bid, bid + bestAsk, 0n);
    return [{ price, size: unlimitedSize }];
  }
  return levels
    .map(({ price, size }) => ({
      price: scalePrice(price, bid + bestAsk, factor),
      size: size / factor,
    }))
    .filter(({ price }) => price > 0n);
}

/**
 * Moves `price` to `factor` times its distance from the mid (given doubled); asks round up, bids
 * down.
 */
function scalePrice(price: bigint, mid2: bigint, factor: bigint): bigint {
  const doubledPrice = mid2 + (2n * price - mid2) * factor;
  if (doubledPrice <= 0n) return 0n;
  return 2n * price >= mid2 ? (doubledPrice + 1n) / 2n : doubledPrice / 2n;
}
