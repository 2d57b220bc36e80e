import { divideUp } from "#core/money/rounding.ts";

export interface Odds {
  rateBp: number;
  feeBp: number;
}

/**
 * The share of orders one must win to break even: (1 + fee) / (1 + rate), in basis points, rounded
 * up (a lower figure would flatter). Rate 9 000 and fee 100 give 5 316.
 */
export function computeBreakEvenBp({ rateBp, feeBp }: Odds): number {
  return Number(divideUp(BigInt(10_000 + feeBp) * 10_000n, BigInt(10_000 + rateBp)));
}

/**
 * The same for decided orders of any terms, weighted by their stakes: (stakes + fees) / (stakes +
 * profits). Sums in minor units; null without orders. For orders of one tier it is `computeBreakEvenBp` up
 * to the rounding of each order's fee and profit.
 */
export function computeBreakEvenOfSums(sums: {
  stake: bigint;
  fee: bigint;
  profit: bigint;
}): number | null {
  if (sums.stake === 0n) return null;
  return Number(divideUp((sums.stake + sums.fee) * 10_000n, sums.stake + sums.profit));
}

/**
 * The average return of coin flips per 100 staked, in twenty-thousandths to stay an integer: 10 000
 * + rate − 2 × fee. Half of the orders return stake and profit, all pay the fee; ties and voids are
 * ignored because their frequency cannot be known in advance. Rate 9 000 and fee 100 give 18 800,
 * that is 94.
 */
export function computeCoinFlipReturnPer20000({ rateBp, feeBp }: Odds): number {
  return 10_000 + rateBp - 2 * feeBp;
}

/**
 * The average return that terms may have, in twenty-thousandths: between 90 and 98 per 100 staked.
 */
export const coinFlipReturnLimits = { min: 18_000, max: 19_600 } as const;

/** The average loss of coin flips on a stake, in minor units, rounded up. */
export function computeAverageCost(stake: bigint, odds: Odds): bigint {
  const lost = BigInt(20_000 - computeCoinFlipReturnPer20000(odds));
  return lost <= 0n ? 0n : divideUp(stake * lost, 20_000n);
}
