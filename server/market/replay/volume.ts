import { volumeScale as klineScale } from "#core/market/kline.ts";
import { volumeScale as barScale } from "#core/market/replay/bars.ts";
import type { RecordedSeries } from "#core/market/replay/series.ts";
import { divideDown } from "#core/money/rounding.ts";

/** Total volume that becomes known at `secondMs`, at the scale of klines, rounded down. */
export function sumClosedVolume(series: Iterable<RecordedSeries>, secondMs: number): bigint {
  let volume = 0n;
  for (const bars of series) volume += bars.volumeClosedAt(secondMs);
  return divideDown(volume, 10n ** BigInt(barScale - klineScale));
}
