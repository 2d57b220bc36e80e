import { computeIndexValue, filterFreshQuotes } from "#core/market/indexValue.ts";
import type { BestPrices } from "#core/market/quote.ts";
import type { WorldBeacon } from "#core/transparency-log/beacon.ts";
import { hexToBytes } from "#core/transparency-log/bytes.ts";
import { worldTag } from "#core/transparency-log/leaf.ts";
import { bindOrders, encodeSecond } from "#core/transparency-log/secondLeaf.ts";
import {
  encodeWorld,
  filterListedQuotes,
  type WorldLeaf,
} from "#core/transparency-log/worldLeaf.ts";
import type { MarketSource, SourceSecond } from "#server/market/source.ts";
import type { AppContext } from "#server/platform/context.ts";
import type { World } from "#server/platform/world.ts";

/**
 * A second with the values derived from its quotes; arrays over symbols are in the world's order.
 */
export interface ComputedSecond extends SourceSecond {
  best: (BestPrices | null)[][];
  index: (bigint | null)[];
}

/** Computes the index of a world's seconds, and encodes the leaves that hold them. */
export interface Leaves {
  compute(second: SourceSecond): ComputedSecond;
  /** A second without any quote. */
  silent(secondMs: number): ComputedSecond;
  world(prices: Pick<WorldLeaf, "seedAnchor" | "recording">): Uint8Array;
  second(computed: ComputedSecond, orderHashes: readonly Uint8Array[]): Uint8Array;
}

export function createLeaves({ world }: Pick<AppContext, "world">, source: MarketSource): Leaves {
  const tag = worldTag(world.name);
  const listing = { venues: source.venues, symbols: world.listing };
  const unknownSymbols = world.listing.filter(
    (listedSymbol) => !listedSymbol.venues.every((name) => source.venues.includes(name)),
  );
  if (unknownSymbols.length > 0)
    throw new Error("the world lists a venue that its market source lacks");
  const compute = (second: SourceSecond): ComputedSecond => {
    const best = second.quotes.map((row) => filterFreshQuotes(row, second.secondMs));
    const index = world.listing.map((_, column) =>
      computeIndexValue(filterListedQuotes(listing, best, column)),
    );
    return { ...second, best, index };
  };
  return {
    compute,
    silent: (secondMs) =>
      compute({
        secondMs,
        quotes: source.venues.map(() => world.symbols.map(() => null)),
        volume: world.symbols.map(() => 0n),
      }),
    world: (prices) =>
      encodeWorld({
        ...prices,
        world: world.name,
        market: world.market,
        simulator: world.simulator,
        beacon: toWorldBeacon(world),
        createdAtMs: world.startMs,
        ...listing,
      }),
    second: ({ secondMs, best, index }, orderHashes) =>
      encodeSecond({ secondMs, quotes: best, index, ...bindOrders(orderHashes) }, tag),
  };
}

/** The beacon of a world as its first leaf names it. */
export function toWorldBeacon({
  beacon,
  createdAtMs,
}: Pick<World, "beacon" | "createdAtMs">): WorldBeacon | null {
  if (!beacon) return null;
  const { publicKey, genesisSeconds, periodSeconds } = beacon;
  const times = { genesisSeconds, periodSeconds, startedAtMs: createdAtMs };
  return { publicKey: hexToBytes(publicKey), ...times };
}
