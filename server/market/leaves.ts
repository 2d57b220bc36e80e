import { freshQuotes, indexValue } from "#core/market/indexValue.ts";
import type { BestPrices } from "#core/market/quote.ts";
import { symbolNames, symbols } from "#core/market/symbols.ts";
import { worldTag } from "#core/transparency-log/leaf.ts";
import { bindOrders, encodeSecond } from "#core/transparency-log/secondLeaf.ts";
import { encodeWorld } from "#core/transparency-log/worldLeaf.ts";
import type { MarketSource, SourceSecond } from "#server/market/source.ts";
import type { Parts } from "#server/platform/context.ts";

/** A second with what follows from its quotes; arrays over symbols are in registry order, also where a world lists fewer. */
export interface ComputedSecond extends SourceSecond {
  best: (BestPrices | null)[][];
  index: (bigint | null)[];
}

/** Makes the index of a world's seconds, and the leaves that hold them: with the symbols of this world only. */
export interface Leaves {
  compute(second: SourceSecond): ComputedSecond;
  /** A second in which nobody quotes. */
  silent(secondMs: number): ComputedSecond;
  world(): Uint8Array;
  second(computed: ComputedSecond, orderHashes: readonly Uint8Array[]): Uint8Array;
}

export function createLeaves({ world }: Pick<Parts, "world">, source: MarketSource): Leaves {
  const tag = worldTag(world.name);
  const listing = symbolNames.map((name) => {
    const names = source.venuesOf(name);
    return source.venues.flatMap((venue, row) => (names.includes(venue) ? [row] : []));
  });
  const columns = symbolNames.flatMap((name, s) => (world.symbols.includes(name) ? [s] : []));
  if (columns.some((s) => listing[s]?.length === 0)) {
    throw new Error("the world has a symbol that no venue lists");
  }
  const compute = (second: SourceSecond): ComputedSecond => {
    const best = second.quotes.map((row) => freshQuotes(row, second.secondMs));
    const index = listing.map((rows, s) => indexValue(rows.map((row) => best[row]?.[s] ?? null)));
    return { ...second, best, index };
  };
  return {
    compute,
    silent: (secondMs) =>
      compute({
        secondMs,
        quotes: source.venues.map(() => symbolNames.map(() => null)),
        volume: symbolNames.map(() => 0n),
      }),
    world: () =>
      encodeWorld({
        world: world.name,
        market: world.market,
        createdAtMs: world.startMs,
        venues: source.venues,
        symbols: world.symbols.map((name) => ({
          name,
          scale: symbols[name].scale,
          venues: source.venuesOf(name),
        })),
      }),
    second: ({ secondMs, best, index }, orderHashes) =>
      encodeSecond(
        {
          secondMs,
          quotes: best.map((row) => columns.map((s) => row[s] ?? null)),
          index: columns.map((s) => index[s] ?? null),
          ...bindOrders(orderHashes),
        },
        tag,
      ),
  };
}
