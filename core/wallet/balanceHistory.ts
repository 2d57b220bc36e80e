import { type Interval, intervals } from "#core/market/intervals.ts";
import { dayMs } from "#core/money/time.ts";

/**
 * How far back the chart of a total reaches, in milliseconds of world time; `all` reaches back to
 * the attempt's start.
 */
export const historyRanges = {
  day: dayMs,
  week: 7 * dayMs,
  month: 30 * dayMs,
  all: Number.MAX_SAFE_INTEGER,
} as const;
export type HistoryRange = keyof typeof historyRanges;
export const historyRangeNames = Object.keys(historyRanges) as HistoryRange[];

/** The most points of a chart, not counting the current one. */
export const historyPointsMax = 120;

const minute = 60_000;
const day = dayMs;
const steps: readonly number[] = [1, 5, 15, 30, 60, 120, 240, 360, 720].map(
  (count) => count * minute,
);

export interface HistoryGrid {
  /** World milliseconds between points. */
  stepMs: number;
  /** A point's price is the close of the kline of this interval that ends at the point. */
  interval: Interval;
  /** Multiples of `stepMs`, oldest first: after the attempt's start and no later than now. */
  points: number[];
}

/** The points at which a total is computed: the finest step that needs at most 120 of them. */
export function computeHistoryGrid(
  range: HistoryRange,
  startMs: number,
  nowMs: number,
): HistoryGrid {
  const fromMs = Math.max(startMs, nowMs - historyRanges[range]);
  const spanMs = Math.max(0, nowMs - fromMs);
  const fittingStep = steps.find((step) => spanMs / step <= historyPointsMax);
  const stepMs = fittingStep ?? Math.ceil(spanMs / historyPointsMax / day) * day;
  const points: number[] = [];
  for (let atMs = (Math.floor(fromMs / stepMs) + 1) * stepMs; atMs <= nowMs; atMs += stepMs) {
    points.push(atMs);
  }
  return { stepMs, interval: stepMs % intervals["5m"] === 0 ? "5m" : "1m", points };
}
