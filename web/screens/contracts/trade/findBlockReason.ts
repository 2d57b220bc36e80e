import { isUsedUp } from "./tiers.ts";

/** Why no order can be placed just now, as the last part of the message id `contracts.blocked.…`. */
export type BlockReason = "offline" | "paused" | "classPaused" | "noPrice" | "usedUp";

/**
 * Finds the reason why the server would refuse an order, as far as this page knows; null if none.
 * It is shown before the press. Of several reasons, the one that must change first is returned.
 */
export function findBlockReason(state: {
  isOnline: boolean;
  isPaused: boolean;
  isClassPaused: boolean;
  price: string | null;
  ordersLeft: number | null;
}): BlockReason | null {
  if (!state.isOnline) return "offline";
  if (state.isPaused) return "paused";
  if (state.isClassPaused) return "classPaused";
  if (state.price === null) return "noPrice";
  if (isUsedUp({ orders_left_today: state.ordersLeft })) return "usedUp";
  return null;
}
