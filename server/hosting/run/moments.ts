import type { Moment, VenueBook } from "#core/hosting/types.ts";
import type { MarketSymbol } from "#core/market/symbols.ts";
import { secondMs } from "#core/money/time.ts";
import type { AppendedSecond } from "#server/market/feed.ts";

/**
 * A closed second as the engine's moment, by the world's venues and symbols: the venues' last
 * quotes with the books behind them, and the index of its leaf. A book last received within the
 * second belongs to that second: on a live market nothing arrives exactly at its end, and leaves
 * hold whole milliseconds.
 */
export function createMoment(
  second: Pick<AppendedSecond, "secondMs" | "quotes" | "index" | "bookOf">,
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
        atMs: second.secondMs - atMs < secondMs ? second.secondMs : Math.floor(atMs),
        levels: () => second.bookOf(venue, symbolName) ?? { bids: [], asks: [] },
      };
    },
    index: (symbolName) => second.index[symbolName],
  };
}
