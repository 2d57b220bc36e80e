import type { Moment, VenueBook } from "#core/hosting/types.ts";
import type { MarketSymbol } from "#core/market/symbols.ts";
import type { AppendedSecond } from "#server/market/feed.ts";

/**
 * A closed second as the engine's moment, by the world's venues and symbols: the venues' last
 * quotes with the books behind them, and the index of its leaf.
 */
export function momentOf(
  second: AppendedSecond,
  venues: readonly string[],
  symbols: readonly MarketSymbol[],
): Moment {
  return {
    atMs: second.secondMs,
    book: (venueName, symbolName): VenueBook | null => {
      const venue = venues.indexOf(venueName);
      const quote = second.quotes[venue]?.[symbols.indexOf(symbolName)];
      if (!quote) return null;
      const { bid, ask, atMs } = quote;
      return {
        bid,
        ask,
        atMs,
        levels: () => second.bookOf(venue, symbolName) ?? { bids: [], asks: [] },
      };
    },
    index: (symbolName) => second.index[symbolName],
  };
}
