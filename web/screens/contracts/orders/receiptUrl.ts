import type { Order } from "#api/contracts.ts";

/** Returns the address where an order's result can be verified. */
export const buildReceiptUrl = (order: Pick<Order, "order_id">) =>
  `/verify?order_id=${order.order_id}`;
