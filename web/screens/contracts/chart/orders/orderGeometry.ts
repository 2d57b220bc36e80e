import { type Interval, intervals } from "#core/market/intervals.ts";

/** The parts of an open order that the chart draws. Prices are floats for drawing only. */
export interface OrderMark {
  orderId: string;
  direction: "up" | "down";
  rangeBp: number;
  entryPrice: number;
  entryMs: number;
  /** When the settlement window opens. */
  windowMs: number;
  /** Last second of the window: the delivery. */
  deliveryMs: number;
  /** Seconds of the window received so far, oldest first. */
  samples: readonly { ms: number; price: number }[];
}

export interface Axes {
  x: (ms: number) => number;
  y: (price: number) => number;
  height: number;
}

export interface OrderFigures {
  entry: { x1: number; x2: number; y: number };
  /** Where the price must be at delivery for the order to win. */
  target: { x: number; y: number; width: number; height: number };
  band: { x: number; width: number };
  delivery: number;
  samples: { x: number; y: number }[];
}

/** In pixels; a narrower band would be invisible. */
const bandMin = 3;

/** Pixel positions of an order's parts in the pane. */
export function layOutOrder(mark: OrderMark, { x, y, height }: Axes): OrderFigures {
  const x1 = x(mark.entryMs);
  const x2 = x(mark.deliveryMs);
  const bandX = Math.min(x(mark.windowMs), x2 - bandMin);
  const factor = 1 + ((mark.direction === "up" ? 1 : -1) * mark.rangeBp) / 10_000;
  const targetY = Math.min(height, Math.max(0, y(mark.entryPrice * factor)));
  return {
    entry: { x1, x2, y: y(mark.entryPrice) },
    target:
      mark.direction === "up"
        ? { x: x1, y: 0, width: x2 - x1, height: targetY }
        : { x: x1, y: targetY, width: x2 - x1, height: height - targetY },
    band: { x: bandX, width: x2 - bandX },
    delivery: x2,
    samples: mark.samples.map(({ ms, price }) => ({ x: x(ms), y: y(price) })),
  };
}

/**
 * Position of a time on the bar axis: bar `i` covers `i - 0.5` to `i + 0.5`. Beyond the last bar
 * (and before the first) it is extrapolated at one bar per interval, so that a future delivery has
 * a position.
 */
export function toBarIndex(
  bars: readonly { timestamp: number }[],
  ms: number,
  interval: Interval,
): number {
  const length = intervals[interval];
  let low = 0;
  let high = bars.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((bars[middle] as { timestamp: number }).timestamp <= ms) low = middle;
    else high = middle - 1;
  }
  const bar = bars[low];
  if (!bar) return 0;
  const fraction = (ms - bar.timestamp) / length;
  const clampedFraction =
    low === bars.length - 1 || ms < bar.timestamp ? fraction : Math.min(1, fraction);
  return low - 0.5 + clampedFraction;
}
