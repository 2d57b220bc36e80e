import { divideUp } from "#core/money/rounding.ts";

export interface Odds {
  rateBp: number;
  feeBp: number;
}

/**
 * Share of orders one must win to lose nothing: (1 + fee) / (1 + rate), in hundredths of a percent,
 * rounded up (a lower figure would flatter). Rate 9 000 and fee 100 make 5 316.
 */
export function breakEvenBp({ rateBp, feeBp }: Odds): number {
  return Number(divideUp(BigInt(10_000 + feeBp) * 10_000n, BigInt(10_000 + rateBp)));
}

/**
 * What coin flips return on average of 100 staked, in twenty-thousandths so that it stays an
 * integer: 10 000 + rate − 2 × fee. Half of the orders bring back stake and rate, all of them pay
 * the fee; ties and voids are left out, because how often prices are equal is not known before.
 * Rate 9 000 and fee 100 make 18 800, that is 94.
 */
export function coinFlipReturn20000({ rateBp, feeBp }: Odds): number {
  return 10_000 + rateBp - 2 * feeBp;
}

/** What coin flips lose on average of a stake, in minor units, rounded up. */
export function averageCost(stake: bigint, odds: Odds): bigint {
  const lost = BigInt(20_000 - coinFlipReturn20000(odds));
  return lost <= 0n ? 0n : divideUp(stake * lost, 20_000n);
}
