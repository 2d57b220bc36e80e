import type { Order } from "#api/contracts.ts";
import { getWindow, type Second } from "./phase.ts";

export interface OrderChart {
  /** SVG path of the price since the order, broken at gaps. */
  line: string;
  /** Y of the entry price. */
  entryY: number;
  /** Left and right edge of the settlement window. */
  band: { x1: number; x2: number };
  samples: { x: number; y: number }[];
  /** The latest price; null when there is none. */
  head: { x: number; y: number } | null;
}

/**
 * Minimum price range shown, as a share of the price, so that one-tick noise does not look like a
 * storm.
 */
const spanMinBp = 4;

/**
 * Lays out the price from entry to delivery in `width` by `height`. Times are to scale; prices are
 * symmetric around the entry price, so that neither direction looks bigger. Null before there is
 * an entry. Drawn only from seconds this page has seen; the rest stays blank (the receipt draws the
 * whole window from the log).
 */
export function layOutOrderChart(
  order: Order,
  seconds: readonly Second[],
  width: number,
  height: number,
): OrderChart | null {
  const { entry_at_ms: entryMs, delivery_at_ms: deliveryMs, purchase_price: purchase } = order;
  if (entryMs === null || deliveryMs === null || purchase === null) return null;
  const entry = Number(purchase);
  const { opensAtMs, fromMs } = getWindow(order, deliveryMs);
  const shownSeconds = seconds.filter(({ ms }) => ms >= entryMs && ms <= deliveryMs);
  const reach = shownSeconds.reduce(
    (max, { price }) => (price === null ? max : Math.max(max, Math.abs(Number(price) - entry))),
    (entry * spanMinBp) / 10_000,
  );
  const pad = 6;
  const x = (ms: number) => round(((ms - entryMs) / (deliveryMs - entryMs)) * width);
  const y = (price: number) => round(height / 2 - ((price - entry) / reach) * (height / 2 - pad));

  let line = "";
  let pen = "M";
  let head: OrderChart["head"] = null;
  const samples: OrderChart["samples"] = [];
  for (const { ms, price } of shownSeconds) {
    if (price === null) {
      pen = "M";
      continue;
    }
    const point = { x: x(ms), y: y(Number(price)) };
    line += `${pen}${point.x} ${point.y}`;
    pen = "L";
    head = point;
    if (ms >= fromMs) samples.push(point);
  }
  return {
    line,
    entryY: height / 2,
    band: { x1: x(opensAtMs), x2: x(deliveryMs) },
    samples,
    head,
  };
}

const round = (value: number) => Math.round(value * 10) / 10;
