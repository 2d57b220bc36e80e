/** Maximum age of an index to trade on, in real milliseconds. */
export const priceFreshMs = 5_000;

/** No product is sold while the transparency log lags by more than this, in real milliseconds. */
export const logBehindMs = 10_000;

/**
 * Returns true if the second that closed at `secondMs` gives a current price. Times are world time,
 * which runs `speed` times as fast as real time.
 */
export function isFresh(secondMs: number, nowMs: number, speed: number): boolean {
  return nowMs - secondMs <= priceFreshMs * speed;
}
