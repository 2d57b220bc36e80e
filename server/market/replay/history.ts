import { computeIndexValue, filterFreshQuotes } from "#core/market/indexValue.ts";
import { getIntervalStart, type Interval, intervalNames } from "#core/market/intervals.ts";
import { aggregateKlines, buildKlines, type Kline, type Tick } from "#core/market/kline.ts";
import type { RecordedSeries } from "#core/market/replay/series.ts";
import type { MarketSymbol } from "#core/market/symbols.ts";
import { minuteMs } from "#core/money/time.ts";
import type { Recording } from "#server/market/replay/recording.ts";
import { sumClosedVolume } from "#server/market/replay/volume.ts";
import type { KlineHistory } from "#server/market/source.ts";

/**
 * Klines from the recording before `atMs`, exactly as the feed would have made them from these
 * seconds: from the index of every second, of which only two per minute can differ. The last minute
 * is left open at `atMs`.
 */
export function readRecordedHistory(
  recording: Recording,
  symbols: readonly MarketSymbol[],
  atMs: number,
): KlineHistory {
  return symbols.map((symbol) => {
    const series = [...(recording.series.get(symbol)?.values() ?? [])];
    const minutes = buildKlines("1m", getTicks(series, recording.firstMs, atMs));
    return Object.fromEntries(
      intervalNames.map((interval) => [interval, aggregateKlines(interval, minutes)]),
    ) as Record<Interval, Kline[]>;
  });
}

/**
 * Bars close on whole minutes, and a quote is fresh for whole minutes, including the last second.
 * So the index of bars can change only at a minute's first second, where bars appear, and at its
 * second one, where quotes have just become stale. Recorded seconds differ from each other.
 */
function* getTicks(
  series: readonly RecordedSeries[],
  fromMs: number,
  atMs: number,
): Generator<Tick> {
  if (series.length === 0) return;
  const changesMs = series.some(({ isPerSecond }) => isPerSecond) ? wholeMinute : [0, 1_000];
  for (let openMs = getIntervalStart("1m", fromMs); openMs < atMs; openMs += minuteMs) {
    for (const changeMs of changesMs) {
      const secondMs = openMs + changeMs;
      if (secondMs >= atMs) return;
      const value = computeIndexValue(
        filterFreshQuotes(
          series.map((recordedSeries) => recordedSeries.quoteAt(secondMs)),
          secondMs,
        ),
      );
      if (value === null) continue;
      yield { secondMs, value, volume: sumClosedVolume(series, secondMs) };
    }
  }
}

const wholeMinute = Array.from({ length: 60 }, (_, second) => second * 1_000);
