import { divideHalfEven } from "#core/money/rounding.ts";

/** A record is set beside luck from this many decided orders on. */
export const luckFromOrders = 10;

/**
 * How often `decided` coin flips come out right at least `won` times, in basis points, half to
 * even: the exact binomial tail sum of C(n, k) / 2^n for k ≥ won. 7 of 10 make 1 719. Throws a
 * RangeError unless 0 ≤ won ≤ decided. A coin has no tie, so ties are counted neither here nor by
 * the check at publishing; the instance's share of lost orders counts them, as the fee was kept in
 * each. Voids ran no race.
 */
export function luckBp(won: number, decided: number): number {
  if (!Number.isSafeInteger(won) || !Number.isSafeInteger(decided) || won < 0 || won > decided) {
    throw new RangeError("won must lie between nought and the number of decided orders");
  }
  // The shorter tail: at least `won` right is the same as at most `decided − won` wrong.
  const wrong = decided - won;
  const sumUpTo = (last: number) => {
    let ways = 1n;
    let sum = last >= 0 ? 1n : 0n;
    for (let k = 1; k <= last; k += 1) {
      ways = (ways * BigInt(decided - k + 1)) / BigInt(k);
      sum += ways;
    }
    return sum;
  };
  const all = 1n << BigInt(decided);
  const tail = wrong <= decided / 2 ? sumUpTo(wrong) : all - sumUpTo(won - 1);
  return Number(divideHalfEven(tail * 10_000n, all));
}
