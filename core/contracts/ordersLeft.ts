import type { Tier } from "./terms.ts";

/**
 * How many more orders of a tier may be placed this real day after `placed` of them, over all
 * contracts; null without a limit. Lower terms than yesterday's may leave less than none: that is 0.
 */
export function countOrdersLeft(
  tier: Pick<Tier, "ordersPerDay">,
  placedCount: number,
): number | null {
  return tier.ordersPerDay === null ? null : Math.max(0, tier.ordersPerDay - placedCount);
}
