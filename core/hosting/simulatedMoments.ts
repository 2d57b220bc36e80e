import type { Moment, VenueBook } from "#core/hosting/types.ts";
import { freshQuotes, indexValue } from "#core/market/indexValue.ts";
import type { Quote } from "#core/market/quote.ts";
import { venues } from "#core/market/simulate/parameters.ts";
import { bookOf, type Simulator } from "#core/market/simulate/simulator.ts";
import { type MarketSymbol, symbolNames } from "#core/market/symbols.ts";

/**
 * A second of the simulated market as a moment. The book behind the best prices is the seed's (`bookOf`) at the second in which the venue
 * spoke, so that a silent venue keeps the book it had.
 */
export function simulatedMoment(
  seed: Uint8Array,
  second: { secondMs: number; quotes: readonly (readonly (Quote | null)[])[] },
): Moment {
  const known = new Map<MarketSymbol, bigint | null>();
  return {
    atMs: second.secondMs,
    book: (venueName, symbolName): VenueBook | null => {
      const venue = (venues as readonly string[]).indexOf(venueName);
      const symbol = symbolNames.indexOf(symbolName);
      const quote = second.quotes[venue]?.[symbol];
      if (!quote) return null;
      const { bid, ask, atMs } = quote;
      const place = { secondMs: atMs, venue, symbol };
      return { bid, ask, atMs, levels: () => bookOf(seed, place, { bid, ask }) };
    },
    index: (symbolName) => {
      let value = known.get(symbolName);
      if (value !== undefined) return value;
      const symbol = symbolNames.indexOf(symbolName);
      const quotes = second.quotes.map((row) => row[symbol] ?? null);
      value = indexValue(freshQuotes(quotes, second.secondMs));
      known.set(symbolName, value);
      return value;
    },
  };
}

/** The next `seconds` of a simulator that runs on `seed`. */
export function* simulatedMoments(
  simulator: Simulator,
  seed: Uint8Array,
  seconds: number,
): Generator<Moment> {
  for (let i = 0; i < seconds; i += 1) yield simulatedMoment(seed, simulator.step());
}
