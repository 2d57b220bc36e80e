import { divideHalfEven } from "#core/money/rounding.ts";

/** A person's record is compared with luck from this many decided orders on. */
export const luckFromOrders = 10;

/**
 * The probability that `decidedCount` coin flips give at least `won` correct, in basis points,
 * rounded half to even: the exact binomial tail, the sum of C(n, k) / 2^n for k ≥ won. 7 of 10 give
 * 1 719. Throws a RangeError unless 0 ≤ won ≤ decidedCount. A coin flip has no tie, so neither this
 * nor the check at publishing counts ties; the instance's share of lost orders does, because the
 * fee was kept in each. Voids are excluded.
 */
export function computeBinomialTailBp(won: number, decidedCount: number): number {
  if (
    !Number.isSafeInteger(won) ||
    !Number.isSafeInteger(decidedCount) ||
    won < 0 ||
    won > decidedCount
  ) {
    throw new RangeError("won must be between 0 and the number of decided orders");
  }
  // Sum the shorter tail: at least `won` correct equals at most `decidedCount − won` wrong.
  const lostCount = decidedCount - won;
  const sumUpTo = (last: number) => {
    let combinations = 1n;
    let sum = last >= 0 ? 1n : 0n;
    for (let k = 1; k <= last; k += 1) {
      combinations = (combinations * BigInt(decidedCount - k + 1)) / BigInt(k);
      sum += combinations;
    }
    return sum;
  };
  const outcomeTotal = 1n << BigInt(decidedCount);
  const tailSum =
    lostCount <= decidedCount / 2 ? sumUpTo(lostCount) : outcomeTotal - sumUpTo(won - 1);
  return Number(divideHalfEven(tailSum * 10_000n, outcomeTotal));
}
