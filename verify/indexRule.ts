import { divideHalfEven } from "./log/bytes.ts";

/** Filters a symbol's quotes in a `second` leaf to the venues that list it. */
export function filterListedQuotes<Quote>(
  { venues, symbols }: { venues: string[]; symbols: { venues: string[] }[] },
  quotes: readonly (Quote | null)[],
  column: number,
): (Quote | null)[] {
  const listing = symbols[column]?.venues ?? [];
  return venues.flatMap((venue, index) => (listing.includes(venue) ? [quotes[index] ?? null] : []));
}

/**
 * Computes a symbol's index from what each venue that lists it quoted in one second
 * (docs/rules/market.md): null with fewer than min(2, listed) quotes whose ask is above their bid; with three or more, those over 3 % from the median are dropped; the
 * median of the rest, rounded half to even.
 */
export function computeIndex(
  quotes: readonly ({ bid: bigint; ask: bigint } | null)[],
): bigint | null {
  // bid + ask is twice the mid; all comparisons use that.
  const doubledMids = quotes.flatMap((quote) =>
    quote && quote.ask > quote.bid ? [quote.bid + quote.ask] : [],
  );
  if (doubledMids.length === 0 || doubledMids.length < Math.min(2, quotes.length)) return null;
  const fourfoldMedian = computeDoubledMedian(doubledMids);
  const withoutOutliers =
    doubledMids.length < 3
      ? doubledMids
      : doubledMids.filter((mid) => {
          const deviation = 2n * mid - fourfoldMedian;
          return (deviation < 0n ? -deviation : deviation) * 100n <= 3n * fourfoldMedian;
        });
  return withoutOutliers.length === 0
    ? null
    : divideHalfEven(computeDoubledMedian(withoutOutliers), 4n);
}

/** Twice the median: the middle value doubled, or the sum of the middle two. */
function computeDoubledMedian(values: readonly bigint[]): bigint {
  const sorted = [...values].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  const middle = Math.floor(sorted.length / 2);
  const high = sorted[middle] as bigint;
  return high + (sorted.length % 2 === 1 ? high : (sorted[middle - 1] as bigint));
}
