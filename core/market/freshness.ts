/** An index older than this is no price to deal on, in real milliseconds. */
const priceFreshMs = 5_000;

/** Nothing is sold while the transparency log is further behind than this, in real milliseconds. */
export const logBehindMs = 10_000;

/**
 * Whether the second that closed at `secondMs` is a price of now. Times are of the world, which
 * runs
 * `speed` times as fast as the real one.
 */
export function isFresh(secondMs: number, nowMs: number, speed: number): boolean {
  return nowMs - secondMs <= priceFreshMs * speed;
}
