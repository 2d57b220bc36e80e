import type { RecordedSeries } from "#core/market/replay/series.ts";
import { type MarketSymbol, symbols } from "#core/market/symbols.ts";
import type { Recording } from "#server/market/replay/recording.ts";
import type { PricePath } from "./prices.ts";

/**
 * The prices of a recording, from the first moment at which all its files have one, at the speed at
 * which they were recorded; the last ones remain. A venue without a file of a symbol follows another
 * venue's; a symbol without any follows `otherwise`. `nowMs` is any clock in milliseconds.
 */
export function createRecordedPath(
  { series }: Pick<Recording, "series">,
  otherwise: PricePath,
  nowMs: () => number = () => performance.now(),
): PricePath {
  const allSeries = [...series.values()].flatMap((byVenue) => [...byVenue.values()]);
  const firstMs = Math.max(...allSeries.map(firstQuoteMs).filter(Number.isFinite));
  const startedMs = nowMs();
  const cache = new Map<string, number>();
  return {
    priceOf: (symbol: MarketSymbol, venue: string) => {
      const byVenue = series.get(symbol);
      const recordedSeries = byVenue?.get(venue) ?? byVenue?.values().next().value;
      const key = `${venue} ${symbol}`;
      const passedMs = Math.floor((nowMs() - startedMs) / 1_000) * 1_000;
      const quote = recordedSeries?.quoteAt(firstMs + passedMs);
      if (quote) cache.set(key, Number(quote.bid + quote.ask) / 2 / 10 ** symbols[symbol].scale);
      return cache.get(key) ?? otherwise.priceOf(symbol, venue);
    },
    step: () => otherwise.step(),
  };
}

/** +∞ if there is none. */
function firstQuoteMs(series: RecordedSeries): number {
  let atMs = Math.floor(series.firstMs / 1_000) * 1_000;
  while (atMs <= series.endMs && !series.quoteAt(atMs)) atMs += 1_000;
  return atMs <= series.endMs ? atMs : Number.POSITIVE_INFINITY;
}
