/** Kline intervals and their lengths. A week starts on Monday 00:00 UTC, every other interval at a multiple of its length. */
export const intervals = {
  "1m": 60_000,
  "5m": 300_000,
  "15m": 900_000,
  "30m": 1_800_000,
  "1h": 3_600_000,
  "4h": 14_400_000,
  "1d": 86_400_000,
  "1w": 604_800_000,
} as const;

export type Interval = keyof typeof intervals;
export const intervalNames = Object.keys(intervals) as Interval[];

/** 1970-01-01 was a Thursday, so the first Monday is four days in. */
const firstMondayMs = 4 * 86_400_000;

/** The opening time of the kline of `interval` that holds `atMs` (both milliseconds of world time). */
export function openOf(interval: Interval, atMs: number): number {
  const length = intervals[interval];
  const offset = interval === "1w" ? firstMondayMs : 0;
  return Math.floor((atMs - offset) / length) * length + offset;
}
