import type { Moment, VenueBook } from "#core/hosting/types.ts";
import { computeIndexValue, filterFreshQuotes } from "#core/market/indexValue.ts";
import type { Quote } from "#core/market/quote.ts";
import { toBarBook, toBarQuote } from "#core/market/replay/book.ts";
import type { BarSeries } from "#core/market/replay/series.ts";
import type { MarketSymbol } from "#core/market/symbols.ts";
import { minuteMs } from "#core/money/time.ts";

/** The bars of one symbol at one venue. */
export interface Series {
  venue: string;
  symbol: MarketSymbol;
  bars: BarSeries;
}

/** A series and the current position in it. */
interface Cursor {
  series: Series;
  /** Index of the last closed bar; −1 before the first. */
  at: number;
  quote: Quote | null;
  book: VenueBook | null;
}

/**
 * The closes of the first and the last minute over all series: the default range of
 * `replayMoments`.
 */
export function findCommonSpan(series: readonly Series[]): { fromMs: number; toMs: number } {
  const fromMs = Math.min(...series.map(({ bars }) => bars.closeMs(0)));
  const toMs = Math.max(...series.map(({ bars }) => bars.closeMs(bars.length - 1)));
  return { fromMs, toMs };
}

/**
 * Yields a recording's moments: each minute's close from `fromMs` to `toMs` (inclusive), with the
 * books of the bars closing then and the index computed as the feed does. A moment is valid until
 * the next one is taken. Bars that close later are never read.
 */
export function* replayMoments(
  all: readonly Series[],
  span: { fromMs: number; toMs: number } = findCommonSpan(all),
): Generator<Moment> {
  const cursors = all.map((series): Cursor => ({ series, at: -1, quote: null, book: null }));
  const byPlace = new Map<string, Map<string, Cursor>>();
  const bySymbol = new Map<string, Cursor[]>();
  for (const cursor of cursors) {
    const { venue, symbol } = cursor.series;
    const row = byPlace.get(symbol) ?? new Map<string, Cursor>();
    byPlace.set(symbol, row.set(venue, cursor));
    bySymbol.set(symbol, [...(bySymbol.get(symbol) ?? []), cursor]);
  }
  for (let atMs = span.fromMs; atMs <= span.toMs; atMs += minuteMs) {
    for (const cursor of cursors) advance(cursor, atMs);
    const indexBySymbol = new Map<MarketSymbol, bigint | null>();
    yield {
      atMs,
      book: (venue, symbol) => {
        const cursor = byPlace.get(symbol)?.get(venue);
        if (!cursor?.quote) return null;
        cursor.book ??= toBook(cursor);
        return cursor.book;
      },
      index: (symbol) => {
        let value = indexBySymbol.get(symbol);
        if (value !== undefined) return value;
        const quotes = (bySymbol.get(symbol) ?? []).map(({ quote }) => quote);
        value = computeIndexValue(filterFreshQuotes(quotes, atMs));
        indexBySymbol.set(symbol, value);
        return value;
      },
    };
  }
}

function advance(cursor: Cursor, atMs: number): void {
  const { bars } = cursor.series;
  const from = cursor.at;
  // The first moment may be anywhere; after it, at most one bar closes per minute.
  if (from < 0) cursor.at = bars.lastClosed(atMs);
  else if (from + 1 < bars.length && bars.closeMs(from + 1) <= atMs) cursor.at = from + 1;
  if (cursor.at === from) return;
  cursor.quote = toBarQuote(bars.bar(cursor.at));
  cursor.book = null;
}

function toBook({ series, at, quote }: Cursor): VenueBook {
  const { bid, ask, atMs } = quote!;
  return { bid, ask, atMs, levels: () => toBarBook(series.bars.bar(at)) };
}
