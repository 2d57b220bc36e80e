import { symbolNames, symbols } from "#core/market/symbols.ts";
import type { ListedSymbol } from "#core/transparency-log/worldLeaf.ts";
import { listVenues } from "#server/market/live/liveProcess.ts";
import type { Config } from "#server/platform/config/config.ts";
import { StartError } from "#server/platform/startError.ts";

/** Each serves public books in US dollars and stablecoins, over sockets that need no account. */
const defaultVenues = ["bitstamp", "coinbase", "kraken"];

const alternatives = "MARKET=simulated or MARKET=replay:<folder> needs none";

/**
 * The listing of a new live world: the symbols of the registry that its venues list now, each with
 * the venues that list it. All venues must answer, because a world's listing never changes. Throws
 * a StartError in one sentence otherwise.
 */
export async function listLiveMarket({
  liveVenues,
  liveFakeVenues,
}: Pick<Config, "liveVenues" | "liveFakeVenues">): Promise<ListedSymbol[]> {
  const venues = (liveVenues ?? defaultVenues).toSorted();
  const listings = await listVenues({ venues, fakeVenues: liveFakeVenues });
  const silent = listings.filter(({ symbols: symbolNames }) => symbolNames === null);
  if (silent.length === venues.length) {
    throw new StartError(
      `MARKET=live needs a network, and none of its venues (${venues.join(", ")}) answered; ${alternatives}.`,
    );
  }
  if (silent.length > 0) {
    const names = silent.map(({ venue, error }) => `${venue} (${error})`).join(", ");
    throw new StartError(
      `A new live world needs all of its venues, and of LIVE_VENUES there was no answer from ${names}: try again, or name others; ${alternatives}.`,
    );
  }
  const useless = listings.find(({ symbols: symbolNames }) => symbolNames?.length === 0);
  if (useless) {
    throw new StartError(
      `LIVE_VENUES is wrong: ${useless.venue} lists none of ${symbolNames.join(", ")}.`,
    );
  }
  return symbolNames.flatMap((name) => {
    const venues = listings.flatMap((venueListing) =>
      venueListing.symbols?.includes(name) ? [venueListing.venue] : [],
    );
    return venues.length === 0 ? [] : [{ name, scale: symbols[name].scale, venues: venues }];
  });
}
