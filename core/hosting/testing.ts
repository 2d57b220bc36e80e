import type { Moment, PoolConfig, VenueBook } from "#core/hosting/types.ts";
import { computeIndexValue } from "#core/market/indexValue.ts";
import type { Bar } from "#core/market/replay/bars.ts";
import { BarSeries } from "#core/market/replay/series.ts";
import type { MarketSymbol } from "#core/market/symbols.ts";

/** Tests give sizes in whole units of the base asset. */
const unit = 100_000_000n;

/** A book with one level a side: `[bid, ask, size]`, quoted at `atMs`. */
export type FlatBook = readonly [bid: bigint, ask: bigint, size: number];

/**
 * A moment with one-level books keyed by `venue/SYMBOL`; the index is computed from these books by
 * the index rule.
 */
export function createMoment(
  atMs: number,
  books: Record<string, FlatBook | VenueBook>,
  index?: Partial<Record<MarketSymbol, bigint | null>>,
): Moment {
  const bookAt = (key: string): VenueBook | null => {
    const book = books[key];
    if (!book || !Array.isArray(book)) return (book as VenueBook | undefined) ?? null;
    const [bid, ask, units] = book as FlatBook;
    const size = BigInt(Math.round(units * 1e8));
    const levels = () => ({ bids: [{ price: bid, size }], asks: [{ price: ask, size }] });
    return { bid, ask, atMs, levels };
  };
  return {
    atMs,
    book: (venue, symbol) => bookAt(`${venue}/${symbol}`),
    index: (symbol) => {
      if (index && symbol in index) return index[symbol] ?? null;
      const keys = Object.keys(books).filter((key) => key.endsWith(`/${symbol}`));
      return computeIndexValue(keys.map(bookAt));
    },
  };
}

export const crossPool: PoolConfig = {
  strategy: "cross",
  venues: ["north", "south"],
  symbols: ["BTC/USDT"],
  home: "USDT",
};
export const trianglePool: PoolConfig = {
  strategy: "triangle",
  venues: ["north"],
  symbols: ["BTC/USDT", "BTC/USDC", "USDC/USDT"],
  home: "USDT",
};
export const holdPool: PoolConfig = {
  strategy: "hold",
  venues: ["north"],
  symbols: ["BTC/USDT"],
  home: "USDT",
};

/** Mulberry32, so that a failure can be reproduced from its seed. */
export function createGenerator(seed: number): (end: number) => number {
  let state = seed >>> 0;
  return (end) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % end;
  };
}

/**
 * Bars of a synthetic market: a random walk, with a venue occasionally further from it than two
 * fees.
 */
export function generateBars(seed: number, minutes: number, gapBp: number): BarSeries {
  const drawBelow = createGenerator(99);
  const draw = createGenerator(seed);
  const bars: Bar[] = [];
  let level = 2_000_000;
  for (let minute = 0; minute < minutes; minute += 1) {
    level += drawBelow(2_001) - 1_000;
    const close = BigInt(Math.round(level * (1 + (draw(2 * gapBp + 1) - gapBp) / 10_000)));
    const isQuiet = draw(5) === 0;
    if (isQuiet) continue;
    bars.push({
      openMs: 1_677_628_800_000 + minute * 60_000,
      open: close,
      high: close + 100n,
      low: close - 100n,
      close,
      volume: BigInt(1 + draw(20)) * unit,
    });
  }
  return new BarSeries(bars);
}
