import type { Order } from "#api/contracts.ts";
import { createStore } from "#ui/createStore.ts";

/** Orders that are open now, by id; filled by `SettledHost`. */
export const runningOrders = createStore<ReadonlyMap<string, Order>>(new Map());

/** Updates an order, or removes one that is over. Returns true if it was in the list. */
export function updateRunningOrder(order: Order): boolean {
  const before = runningOrders.read();
  const wasRunning = before.has(order.order_id);
  const orders = new Map(before);
  if (order.status === "over") orders.delete(order.order_id);
  else orders.set(order.order_id, order);
  runningOrders.set(orders);
  return wasRunning;
}
