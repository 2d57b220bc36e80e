import type { Tier } from "./terms.ts";

/**
 * The number of orders of a tier that may still be placed this real day after `placedCount`, over
 * all contracts; null without a limit, and 0 if a lower limit is already exceeded.
 */
export function countOrdersLeft(
  tier: Pick<Tier, "ordersPerDay">,
  placedCount: number,
): number | null {
  return tier.ordersPerDay === null ? null : Math.max(0, tier.ordersPerDay - placedCount);
}
