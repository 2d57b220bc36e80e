import type { Order } from "#api/contracts.ts";
import type { OrderMark } from "../chart/orders/orderGeometry.ts";
import { getWindow, type Second } from "../orders/phase.ts";

/**
 * An order as drawn on the chart; null before it has an entry. Prices become floats here, for
 * drawing only.
 */
export function buildOrderMark(order: Order, seconds: readonly Second[]): OrderMark | null {
  const { entry_at_ms: entryMs, delivery_at_ms: deliveryMs, purchase_price: purchase } = order;
  if (entryMs === null || deliveryMs === null || purchase === null) return null;
  const { opensAtMs, fromMs, toMs } = getWindow(order, deliveryMs);
  const samples = seconds.flatMap(({ ms, price }) =>
    ms >= fromMs && ms <= toMs && price !== null ? [{ ms, price: Number(price) }] : [],
  );
  return {
    orderId: order.order_id,
    direction: order.direction,
    rangeBp: order.range_bp,
    entryPrice: Number(purchase),
    entryMs,
    windowMs: opensAtMs,
    deliveryMs,
    samples,
  };
}
