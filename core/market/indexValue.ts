import type { BestPrices, Quote } from "#core/market/quote.ts";
import { isFresh, isValidQuote } from "#core/market/quote.ts";
import { divideHalfEven } from "#core/money/rounding.ts";

/** A mid further than this from the median is dropped when three or more venues are fresh. */
const outlierBp = 300n;

/**
 * Computes the index of one symbol in one second by the rule of docs/rules/market.md, from the
 * contents of a `second` leaf.
 *
 * `quotes` has one entry for each venue that lists the symbol: its best prices, or null when the
 * venue is stale; a quote that is not sound counts as none. Returns an integer at the symbol's scale, rounded half to even, or null when
 * fewer than min(2, listed) venues are fresh or none remains near the median (which needs four or
 * more that contradict each other).
 */
export function computeIndexValue(quotes: readonly (BestPrices | null)[]): bigint | null {
  // Doubled, mids are integers; doubled again, so is the mean of two of them.
  const mids: bigint[] = [];
  for (const quote of quotes)
    if (quote && isValidQuote(quote)) mids.push(2n * (quote.bid + quote.ask));
  if (mids.length === 0 || mids.length < Math.min(2, quotes.length)) return null;
  mids.sort(byValue);
  if (mids.length < 3) return divideHalfEven(median(mids), 4n);
  const middle = median(mids);
  const inliers = mids.filter((mid) => distance(mid, middle) * 10_000n <= outlierBp * middle);
  return inliers.length === 0 ? null : divideHalfEven(median(inliers), 4n);
}

/** The quotes for the leaf of second `atMs`: stale and unsound ones become null. */
export function filterFreshQuotes(
  quotes: readonly (Quote | null)[],
  atMs: number,
): (BestPrices | null)[] {
  return quotes.map((quote) =>
    quote && isFresh(quote, atMs) && isValidQuote(quote)
      ? { bid: quote.bid, ask: quote.ask }
      : null,
  );
}

/** Median of sorted multiples of two; for an even count, the mean of the middle two. */
function median(sorted: readonly bigint[]): bigint {
  const half = sorted.length >> 1;
  const upper = sorted[half] as bigint;
  return sorted.length % 2 === 1 ? upper : ((sorted[half - 1] as bigint) + upper) / 2n;
}

function byValue(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function distance(a: bigint, b: bigint): bigint {
  return a > b ? a - b : b - a;
}
