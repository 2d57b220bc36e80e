import type { Moment, VenueBook } from "#core/hosting/types.ts";
import type { Book } from "#core/market/book.ts";
import { computeIndexValue, filterFreshQuotes } from "#core/market/indexValue.ts";
import type { Quote } from "#core/market/quote.ts";
import { replayHistorySeconds } from "#core/market/simulate/historySeconds.ts";
import type { Model } from "#core/market/simulate/model.ts";
import { venues } from "#core/market/simulate/parameters.ts";
import { buildBook, type Simulator } from "#core/market/simulate/simulator.ts";
import type { MarketSymbol } from "#core/market/symbols.ts";

/**
 * A second of the simulated market as a moment. The book behind the best prices comes from the seed
 * (`buildBook`) at the second in which the venue last quoted, so a silent venue keeps its book.
 */
function simulatedMoment(
  model: Model,
  seed: Uint8Array,
  second: { secondMs: number; quotes: readonly (readonly (Quote | null)[])[] },
): Moment {
  const indexBySymbol = new Map<MarketSymbol, bigint | null>();
  // A book costs twenty cipher draws per side, so it is built once and shared by all pools.
  const books = new Map<number, Book>();
  return {
    atMs: second.secondMs,
    book: (venueName, symbolName): VenueBook | null => {
      const venue = (venues as readonly string[]).indexOf(venueName);
      const symbol = model.names.indexOf(symbolName);
      const quote = second.quotes[venue]?.[symbol];
      if (!quote) return null;
      const { bid, ask, atMs } = quote;
      const position = { secondMs: atMs, venue, symbol };
      const levels = () => {
        const key = venue * model.names.length + symbol;
        const book = books.get(key) ?? buildBook(model, seed, position, { bid, ask });
        books.set(key, book);
        return book;
      };
      return { bid, ask, atMs, levels };
    },
    index: (symbolName) => {
      let value = indexBySymbol.get(symbolName);
      if (value !== undefined) return value;
      const symbol = model.names.indexOf(symbolName);
      const quotes = second.quotes.map((row) => row[symbol] ?? null);
      value = computeIndexValue(filterFreshQuotes(quotes, second.secondMs));
      indexBySymbol.set(symbolName, value);
      return value;
    },
  };
}

/** Yields the next `seconds` moments of a simulator running on `seed`. */
export function* simulatedMoments(
  model: Model,
  simulator: Simulator,
  seed: Uint8Array,
  seconds: number,
): Generator<Moment> {
  for (let i = 0; i < seconds; i += 1) yield simulatedMoment(model, seed, simulator.step());
}

/** The moments of `replayHistorySeconds`: the venues of a new world in the hours before it began. */
export function* replayHistoryMoments(
  model: Model,
  seed: Uint8Array,
  firstMs: number,
): Generator<Moment> {
  for (const second of replayHistorySeconds(model, seed, firstMs))
    yield simulatedMoment(model, seed, second);
}
