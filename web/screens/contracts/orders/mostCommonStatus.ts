import type { Order } from "#api/contracts.ts";

export const statuses = ["waiting", "closing", "over"] as const;
export type Status = (typeof statuses)[number];

/**
 * Finds the status that most of these orders have; of two equal counts, the status that comes
 * earlier in an order's life.
 */
export function findMostCommonStatus(orders: readonly Pick<Order, "status">[]): Status {
  const count = (status: Status) => orders.filter((order) => order.status === status).length;
  return statuses.toSorted((a, b) => count(b) - count(a))[0] ?? "waiting";
}
