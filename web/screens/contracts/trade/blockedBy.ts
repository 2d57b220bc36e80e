import { isUsedUp } from "./tiers.ts";

/** Why no order can be placed just now, as the last part of the message id `contracts.blocked.…`. */
export type BlockReason = "offline" | "paused" | "classPaused" | "noPrice" | "usedUp";

/**
 * The reason for which the server would refuse an order, as far as this page knows it; null if
 * none. Shown before the press, and in the order in which it would have to change.
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
