import type { Series } from "#core/backtest/replayMoments.ts";
import type { Listing } from "#core/hosting/catalogue.ts";
import { iterateBars, readRecording } from "#server/market/replay/recording.ts";

/**
 * Reads a folder of recordings as a world would; throws naming the file and line that is invalid.
 */
export async function loadSeries(folder: string): Promise<Series[]> {
  return [...iterateBars(await readRecording(folder))];
}

export function toListing(series: readonly Series[]): Listing {
  return (symbol) => series.filter((series) => series.symbol === symbol).map(({ venue }) => venue);
}
