import { getIntervalStart, type Interval } from "#core/market/intervals.ts";

/** Volumes are integers in ten-thousandths of the base asset, for every symbol. */
export const volumeScale = 4;

/**
 * A kline: the index values of `[openMs, openMs + interval)`. Prices are integers at the symbol's
 * scale, volume an integer at `volumeScale`.
 */
export interface Kline {
  openMs: number;
  open: bigint;
  high: bigint;
  low: bigint;
  close: bigint;
  volume: bigint;
}

/** One second's contribution to a kline. A second in a gap contributes nothing. */
export interface Tick {
  secondMs: number;
  value: bigint;
  volume: bigint;
}

/**
 * Folds ticks, in ascending order, into klines of `interval`. A kline with no tick does not exist.
 */
export function buildKlines(interval: Interval, ticks: Iterable<Tick>): Kline[] {
  const klines: Kline[] = [];
  for (const { secondMs, value, volume } of ticks) {
    const openMs = getIntervalStart(interval, secondMs);
    mergeKlines(klines, { openMs, open: value, high: value, low: value, close: value, volume });
  }
  return klines;
}

/**
 * Folds klines, in ascending order, into klines of a longer `interval` whose boundaries must
 * coincide with theirs.
 */
export function aggregateKlines(interval: Interval, parts: Iterable<Kline>): Kline[] {
  const klines: Kline[] = [];
  for (const part of parts)
    mergeKlines(klines, { ...part, openMs: getIntervalStart(interval, part.openMs) });
  return klines;
}

function mergeKlines(klines: Kline[], next: Kline): void {
  const last = klines.at(-1);
  if (!last || last.openMs !== next.openMs) {
    if (last && next.openMs < last.openMs)
      throw new RangeError("klines must be in ascending order");
    klines.push(next);
    return;
  }
  if (next.high > last.high) last.high = next.high;
  if (next.low < last.low) last.low = next.low;
  last.close = next.close;
  last.volume += next.volume;
}
