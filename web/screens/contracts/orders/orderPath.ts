import type { Order } from "#api/contracts.ts";
import { type Second, windowOf } from "./phase.ts";

export interface PathPicture {
  /** SVG path of the price since the order; gaps break it. */
  line: string;
  /** Height of the purchase price. */
  entryY: number;
  /** Left and right edge of the settlement window. */
  band: { x1: number; x2: number };
  samples: { x: number; y: number }[];
  /** The newest price; null when there is none. */
  head: { x: number; y: number } | null;
}

/**
 * The price needs at least this share of itself as height, so that noise of one tick does not look
 * like a storm.
 */
const spanMinBp = 4;

/**
 * The price from the entry to the delivery as a picture of `width` by `height`. Times are to scale;
 * prices fit symmetrically around the purchase price, so that up and down look alike. Null before
 * there is an entry. It is drawn from the seconds that this page saw; what it did not see stays
 * blank, and the receipt draws the whole window from the log. Up and down have the same room, so
 * that neither direction looks bigger.
 */
export function orderPath(
  order: Order,
  seconds: readonly Second[],
  width: number,
  height: number,
): PathPicture | null {
  const { entry_at_ms: entryMs, delivery_at_ms: deliveryMs, purchase_price: purchase } = order;
  if (entryMs === null || deliveryMs === null || purchase === null) return null;
  const entry = Number(purchase);
  const { opensAtMs, fromMs } = windowOf(order, deliveryMs);
  const shown = seconds.filter(({ ms }) => ms >= entryMs && ms <= deliveryMs);
  const reach = shown.reduce(
    (most, { price }) => (price === null ? most : Math.max(most, Math.abs(Number(price) - entry))),
    (entry * spanMinBp) / 10_000,
  );
  const pad = 6;
  const x = (ms: number) => round(((ms - entryMs) / (deliveryMs - entryMs)) * width);
  const y = (price: number) => round(height / 2 - ((price - entry) / reach) * (height / 2 - pad));

  let line = "";
  let pen = "M";
  let head: PathPicture["head"] = null;
  const samples: PathPicture["samples"] = [];
  for (const { ms, price } of shown) {
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
