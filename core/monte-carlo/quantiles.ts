/**
 * Quantiles of results: the best and worst in a hundred, the quartiles and the median. Each is one
 * of the results, never a mean of two.
 */
export interface Quantiles {
  /** The first percentile. */
  worst: bigint;
  /** The first quartile. */
  low: bigint;
  /** The lower of the middle two: a higher one would flatter. */
  median: bigint;
  high: bigint;
  best: bigint;
}

/** The spread of at least one result, in any order. Throws a RangeError for none. */
export function computeQuantiles(results: readonly bigint[]): Quantiles {
  const { length } = results;
  if (length === 0) throw new RangeError("a spread needs at least one result");
  const sorted = BigInt64Array.from(results).sort();
  const rank = (percent: number) => Math.max(1, Math.ceil((length * percent) / 100));
  const fromBelow = (percent: number) => sorted[rank(percent) - 1] as bigint;
  const fromAbove = (percent: number) => sorted[length - rank(percent)] as bigint;
  return {
    worst: fromBelow(1),
    low: fromBelow(25),
    median: fromBelow(50),
    high: fromAbove(25),
    best: fromAbove(1),
  };
}

/** Counts the results below zero. */
export function countBelow(results: readonly bigint[]): number {
  return results.reduce((count, result) => count + (result < 0n ? 1 : 0), 0);
}
