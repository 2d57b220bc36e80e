import { aggregateKlines, type Kline } from "#core/market/kline.ts";
import { divideHalfEven } from "#core/money/rounding.ts";
import { dayMs } from "#core/money/time.ts";

/** The last 24 hours of one symbol, as integers at the symbol's scale. */
export interface Stats24h {
  /**
   * Change from the price 24 hours ago in basis points, half to even; null when either price is
   * missing.
   */
  changeBp: number | null;
  high: bigint | null;
  low: bigint | null;
  /** At `volumeScale`, of the klines that opened within 24 hours; null if there are none. */
  volume: bigint | null;
  /**
   * Up to 49 prices, oldest first: the one 24 hours ago, half-hourly closes and the current price,
   * where known. The line therefore has the sign of `changeBp`.
   */
  spark: bigint[];
}

/**
 * Computes the stats. `klines`: 5m klines from the one that was open 24 hours before `nowMs`,
 * oldest first. `price` is the current index.
 */
export function computeStats(
  klines: readonly Kline[],
  price: bigint | null,
  nowMs: number,
): Stats24h {
  const recent = klines.filter((kline) => kline.openMs > nowMs - dayMs - 300_000);
  const first = recent[0];
  // If the first kline opens later than a day ago, there was no price a day ago.
  const before = first && first.openMs <= nowMs - dayMs ? first.open : null;
  const prices = recent.flatMap((kline) => [kline.high, kline.low]);
  if (price !== null) prices.push(price);
  const volumes = recent.filter(({ openMs }) => openMs > nowMs - dayMs).map(({ volume }) => volume);
  const closes = aggregateKlines("30m", recent).map((kline) => kline.close);
  if (price !== null) {
    closes.pop();
    closes.push(price);
  }
  return {
    changeBp: price === null || before === null ? null : computeChange(before, price),
    high: prices.length === 0 ? null : prices.reduce((a, b) => (b > a ? b : a)),
    low: prices.length === 0 ? null : prices.reduce((a, b) => (b < a ? b : a)),
    volume: volumes.length === 0 ? null : volumes.reduce((a, b) => a + b),
    spark: [...(before === null ? [] : [before]), ...closes.slice(-48)],
  };
}

function computeChange(before: bigint, price: bigint): number {
  const size = divideHalfEven((price > before ? price - before : before - price) * 10_000n, before);
  return Number(price < before ? -size : size);
}
