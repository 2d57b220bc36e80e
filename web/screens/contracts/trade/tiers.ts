import type { Tier } from "./stake.ts";

/** Returns true if the person has placed all orders of this tier for today, in all markets. */
export const isUsedUp = (tier: Pick<Tier, "orders_left_today">) => tier.orders_left_today === 0;

/**
 * Finds the intended tier (the chosen one, or the first before any choice) if `pickTier` returns
 * another instead; otherwise null.
 */
export function findReplacedTier<One extends Pick<Tier, "seconds" | "orders_left_today">>(
  tiers: readonly One[],
  chosenSeconds: number | null,
): One | null {
  const tier = tiers.find(({ seconds }) => seconds === chosenSeconds) ?? tiers[0];
  return tier && pickTier(tiers, chosenSeconds) !== tier ? tier : null;
}

/**
 * The tier of the ticket: the chosen one (the first before any choice), or the next longer one that
 * still takes orders today. With none left, the chosen one.
 */
export function pickTier<One extends Pick<Tier, "seconds" | "orders_left_today">>(
  tiers: readonly One[],
  chosenSeconds: number | null,
): One | undefined {
  const index = Math.max(
    0,
    tiers.findIndex(({ seconds }) => seconds === chosenSeconds),
  );
  return [...tiers.slice(index), ...tiers].find((tier) => !isUsedUp(tier)) ?? tiers[index];
}
