import type { Order } from "#api/contracts.ts";
import { getWindowBounds } from "#core/contracts/settlementWindow.ts";
import { secondMs } from "#core/money/time.ts";

/** One closed second of a symbol; null in a gap. */
export interface Second {
  ms: number;
  price: string | null;
}

/**
 * Progress of an order by world time alone; whether it is settled is up to the server's `status`.
 */
export type Phase =
  /** Accepted; its entry second has not closed. */
  | { name: "entering" }
  /** Runs until its window opens. */
  | { name: "running"; toWindowMs: number }
  /**
   * The window is being collected: `closed` of `of` seconds have passed; `samples` are those with a
   * price seen here.
   */
  | { name: "collecting"; closed: number; of: number; samples: Second[]; toDeliveryMs: number }
  /** Delivered; the result is being computed. */
  | { name: "settling"; of: number; samples: Second[] }
  | { name: "over" };

/** The settlement window of an order that has an entry. */
export function getWindow(order: Pick<Order, "window_seconds">, deliveryAtMs: number) {
  return getWindowBounds(deliveryAtMs, order.window_seconds);
}

/** The phase of `order` at `nowMs` of world time, given the seconds this page has seen. */
export function getPhase(order: Order, nowMs: number, seconds: readonly Second[]): Phase {
  if (order.status === "over") return { name: "over" };
  const deliveryMs = order.delivery_at_ms;
  if (order.entry_at_ms === null || deliveryMs === null) return { name: "entering" };
  const { opensAtMs, fromMs, toMs } = getWindow(order, deliveryMs);
  if (nowMs < opensAtMs) return { name: "running", toWindowMs: opensAtMs - nowMs };
  const samples = seconds.filter(({ ms }) => ms >= fromMs && ms <= toMs);
  const of = order.window_seconds;
  if (nowMs > deliveryMs) return { name: "settling", of, samples };
  const closedSeconds = Math.floor((nowMs - opensAtMs) / secondMs);
  return {
    name: "collecting",
    closed: closedSeconds,
    of,
    samples,
    toDeliveryMs: deliveryMs - nowMs,
  };
}
