import { stat } from "node:fs/promises";
import { join } from "node:path";
import type { BacktestFile, BacktestSource } from "#api/backtest.ts";
import { recordedFileName } from "#core/market/replay/fileName.ts";
import { minuteMs } from "#core/money/time.ts";
import { listPoolsFor } from "#server/backtest/pools.ts";
import type { PriceFileSource } from "#server/backtest/types.ts";
import { iterateBars, type Recording } from "#server/market/replay/recording.ts";

export interface RecordedPrices {
  /** Null before the recording's first minute has passed. */
  source(nowMs: number): BacktestSource | null;
  toRead(): PriceFileSource[];
}

/**
 * A world's recording as a source of backtests, up to world time and no further: later prices would
 * be look-ahead. Backtests read minutes; recorded seconds are left out.
 */
export async function createRecordedPrices(recording: Recording): Promise<RecordedPrices> {
  const { folder } = recording;
  const files: BacktestFile[] = [];
  for (const { symbol, venue, bars } of iterateBars(recording)) {
    const name = recordedFileName({ venue, symbol, step: "1m" });
    const { size } = await stat(join(folder, name));
    files.push({
      name,
      venue,
      symbol,
      bytes: size,
      minutes: bars.length,
      from_ms: bars.firstMs,
      to_ms: bars.endMs,
    });
  }
  return {
    source: (nowMs) => {
      const untilMs = Math.floor(nowMs / minuteMs) * minuteMs;
      const earlierFiles = files
        .filter((file) => file.from_ms < untilMs)
        .map((file) => ({
          ...file,
          to_ms: Math.min(file.to_ms, untilMs),
        }));
      if (earlierFiles.length === 0) return null;
      return {
        files: earlierFiles,
        pools: listPoolsFor(earlierFiles).map(({ view }) => view),
        from_ms: Math.min(...earlierFiles.map((file) => file.from_ms)),
        to_ms: Math.max(...earlierFiles.map((file) => file.to_ms)),
        kept_until_ms: null,
      };
    },
    toRead: () =>
      files.map(({ name, venue, symbol }) => ({ name, venue, symbol, path: join(folder, name) })),
  };
}
