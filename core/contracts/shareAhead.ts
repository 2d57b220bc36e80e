import { computeBinomialTailBp } from "#core/contracts/binomialTail.ts";
import type { Odds } from "#core/contracts/breakEven.ts";

/** Numbers of orders for which a person's results are compared with others'. */
export const aheadMilestones = [100, 1_000] as const;

/**
 * The share of people, in basis points, who are ahead after `orders` equal orders at these odds if
 * each is a coin flip: the exact binomial tail from the fewest wins whose profit exceeds all losses
 * and fees. Won orders bring rate − fee, lost ones cost 1 + fee, so a person is ahead if wins × (1
 * + rate) > orders × (1 + fee). Ties and voids are left out, as in `computeBinomialTailBp`. Rate 9 000 and
 * fee 100 give 5 000 after 5 orders, 2 421 after 100 and 231 after 1 000.
 */
export function computeShareAheadBp(orders: number, { rateBp, feeBp }: Odds): number {
  if (orders === 0) return 0;
  const wins = Math.floor((orders * (10_000 + feeBp)) / (10_000 + rateBp)) + 1;
  return wins > orders ? 0 : computeBinomialTailBp(wins, orders);
}

/** A decided order's fixed figures, in minor units. */
export interface DecidedOrder {
  stake: bigint;
  fee: bigint;
  profit: bigint;
}

/**
 * The expected result of coin flips at these stakes, in half minor units to avoid rounding: on
 * average half of the orders bring their profit, half cost their stake, all cost their fee. Linear,
 * so sums of many orders may be given as one.
 */
export function computeExpectedResultHalves({ stake, fee, profit }: DecidedOrder): bigint {
  return profit - stake - 2n * fee;
}
