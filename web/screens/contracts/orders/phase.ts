import type { Order } from "#api/contracts.ts";

/** One closed second of a symbol; null in a gap. */
export interface Second {
  ms: number;
  price: string | null;
}

/** How far an order is, by world time alone: the server's word (`status`) decides what is settled. */
export type Phase =
  /** Accepted; its entry second has not closed. */
  | { name: "entering" }
  /** Runs until its window opens. */
  | { name: "running"; toWindowMs: number }
  /** The window is being collected: `closed` of `of` seconds are over, `present` of them have a price seen here. */
  | { name: "collecting"; closed: number; of: number; samples: Second[]; toDeliveryMs: number }
  /** Delivered; the result is being computed. */
  | { name: "settling"; of: number; samples: Second[] }
  | { name: "over" };

/** First second of the window that ends with the delivery second, in world milliseconds. */
export function windowStartMs(order: Pick<Order, "window_seconds">, deliveryAtMs: number): number {
  return deliveryAtMs - (order.window_seconds - 1) * 1_000;
}

/** The phase of `order` at `nowMs` of world time, with the seconds this page has seen. */
export function phaseOf(order: Order, nowMs: number, seconds: readonly Second[]): Phase {
  if (order.status === "over") return { name: "over" };
  const deliveryMs = order.delivery_at_ms;
  if (order.entry_at_ms === null || deliveryMs === null) return { name: "entering" };
  const startMs = windowStartMs(order, deliveryMs);
  if (nowMs < startMs) return { name: "running", toWindowMs: startMs - nowMs };
  const samples = seconds.filter(({ ms }) => ms >= startMs && ms <= deliveryMs);
  const of = order.window_seconds;
  if (nowMs > deliveryMs) return { name: "settling", of, samples };
  const closed = Math.min(of, Math.floor((nowMs - startMs) / 1_000) + 1);
  return { name: "collecting", closed, of, samples, toDeliveryMs: deliveryMs - nowMs };
}
