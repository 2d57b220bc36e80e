import type { VenueFault } from "#core/market/live/faults.ts";
import type { BestPrices } from "#core/market/quote.ts";

/** How long the last index bounds a plausible price: no price doubles in that time. */
export const referenceMaxMs = 600_000;

/** The share of the median beyond which the index leaves a mid out, as in indexValue.ts. */
const farBp = 300n;

/**
 * Compares the quotes of a symbol with each other and with `reference`, the last index of ten
 * minutes (null: none). Returns the fault of each venue's quote, if any: `implausible` is dropped
 * before the index is computed, `far` is left out by the index itself.
 *
 * A price below half or above double the reference is implausible. Without a reference, the median
 * of three or more takes its place; if only two differ that much, both are implausible.
 */
export function comparePrices(
  quotes: readonly (BestPrices | null)[],
  reference: bigint | null,
): (VenueFault | null)[] {
  const mids = quotes.map((quote) => quote && (quote.bid + quote.ask) / 2n);
  const presentMids = mids.filter((mid) => mid !== null).toSorted(byValue);
  const middle =
    reference ?? (presentMids.length > 2 ? presentMids[presentMids.length >> 1]! : null);
  const isPlausible = (mid: bigint) =>
    middle === null
      ? presentMids.every((otherMid) => isWithinDouble(mid, otherMid))
      : isWithinDouble(mid, middle);
  const plausibleMids = presentMids.filter(isPlausible);
  const median = plausibleMids.length > 2 ? plausibleMids[plausibleMids.length >> 1]! : null;
  return mids.map((mid) => {
    if (mid === null) return null;
    if (!isPlausible(mid)) return "implausible";
    return median !== null && isFar(mid, median) ? "far" : null;
  });
}

function isWithinDouble(price: bigint, otherPrice: bigint): boolean {
  return price <= 2n * otherPrice && otherPrice <= 2n * price;
}

function isFar(mid: bigint, median: bigint): boolean {
  return (mid > median ? mid - median : median - mid) * 10_000n > farBp * median;
}

function byValue(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
