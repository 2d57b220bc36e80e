import { dayMs, hourMs, minuteMs } from "#core/money/time.ts";

/**
 * Kline intervals and their lengths. A week starts on Monday 00:00 UTC, every other interval at a
 * multiple of its length.
 */
export const intervals = {
  "1m": minuteMs,
  "5m": 5 * minuteMs,
  "15m": 15 * minuteMs,
  "30m": 30 * minuteMs,
  "1h": hourMs,
  "4h": 4 * hourMs,
  "1d": dayMs,
  "1w": 7 * dayMs,
} as const;

export type Interval = keyof typeof intervals;
export const intervalNames = Object.keys(intervals) as Interval[];

/** 1970-01-01 was a Thursday, so the first Monday is four days in. */
const firstMondayMs = 4 * dayMs;

/**
 * The opening time of the `interval` kline containing `atMs`, both in milliseconds of world time.
 */
export function getIntervalStart(interval: Interval, atMs: number): number {
  const length = intervals[interval];
  const offset = interval === "1w" ? firstMondayMs : 0;
  return Math.floor((atMs - offset) / length) * length + offset;
}
