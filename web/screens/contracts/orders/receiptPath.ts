import type { Order } from "#api/contracts.ts";

/** Where the result of an order is checked. */
export const receiptPath = (order: Pick<Order, "order_id">) => `/verify?order_id=${order.order_id}`;
