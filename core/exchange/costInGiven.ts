import { divideUp } from "#core/money/rounding.ts";

/**
 * The cost of an exchange in the coin given: the share of what was given that `cost` is of
 * `atIndex`, both in the coin received; rounded up. Giving 1 000 pUSDT at 10 + 10 bp costs 2.
 */
export function costInGiven(given: bigint, atIndex: bigint, cost: bigint): bigint {
  return atIndex <= 0n ? 0n : divideUp(given * cost, atIndex);
}
