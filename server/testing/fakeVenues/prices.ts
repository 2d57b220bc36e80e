import { type MarketSymbol, simulatedAssets, symbols } from "#core/market/symbols.ts";

/** A fake venue's book: sizes by price, both as the decimal text that goes over the wire. */
export interface FakeBook {
  bids: Map<string, string>;
  asks: Map<string, string>;
}

const levels = 25;

/** A generator of numbers from 0 to 1 that a seed determines (mulberry32). */
export function createSeededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixedBits = Math.imul(state ^ (state >>> 15), state | 1);
    mixedBits ^= mixedBits + Math.imul(mixedBits ^ (mixedBits >>> 7), mixedBits | 61);
    return ((mixedBits ^ (mixedBits >>> 14)) >>> 0) / 2 ** 32;
  };
}

const getAnchor = (asset: string) =>
  asset === "USD" ? 1 : simulatedAssets[asset as keyof typeof simulatedAssets].anchor;

/** The prices that fake venues quote around; `step` moves on. */
export interface PricePath {
  priceOf(symbol: MarketSymbol, venue: string): number;
  step(): void;
}

/** A random walk per symbol, the same for all venues. */
export function createPath(seed: number): PricePath {
  const random = createSeededRandom(seed);
  const prices = new Map<MarketSymbol, number>();
  for (const [name, { base, quote }] of Object.entries(symbols))
    prices.set(name as MarketSymbol, getAnchor(base) / getAnchor(quote));
  return {
    priceOf: (symbol) => prices.get(symbol)!,
    step: () => {
      for (const [name, price] of prices) {
        const volatility = symbols[name].type === "stable" ? 0.000_005 : 0.000_1;
        prices.set(name, price * (1 + volatility * (random() - 0.5)));
      }
    },
  };
}

/** A minute of a symbol, as decimal text. */
export interface FakeKline {
  openMs: number;
  open: string;
  high: string;
  low: string;
  close: string;
  volume: string;
}

/**
 * The kline that a venue has of a minute, the same whenever it is asked for; null where nothing
 * traded, which is one minute in eight.
 */
export function computeKlineAt(
  venue: string,
  symbol: MarketSymbol,
  digits: number,
  openMs: number,
): FakeKline | null {
  const minute = openMs / 60_000;
  const names = Buffer.from(venue + symbol).reduce((sum, byte) => Math.imul(sum, 31) + byte, 7);
  const random = createSeededRandom(names + Math.imul(minute, 2_654_435_761));
  if (random() < 1 / 8) return null;
  const { base, quote } = symbols[symbol];
  const middle = (getAnchor(base) / getAnchor(quote)) * (1 + 0.01 * Math.sin(minute / 500));
  const prices = Array.from({ length: 4 }, () => middle * (1 + 0.0005 * (random() - 0.5)));
  const [low, open, close, high] = prices.toSorted((a, b) => a - b) as [
    number,
    number,
    number,
    number,
  ];
  const text = (price: number) => price.toFixed(digits);
  const volume = (0.001 + random()).toFixed(8);
  return {
    openMs,
    open: text(open),
    high: text(high),
    low: text(low),
    close: text(close),
    volume,
  };
}

/** A book around a price; `random` moves sizes, so that no two books are the same. */
export function createBookAround(price: number, digits: number, random: () => number): FakeBook {
  const tick = 10 ** -digits;
  const middle = Math.round(price / tick);
  const step = Math.max(1, Math.round(middle / 20_000));
  const side = (sign: 1 | -1) =>
    new Map(
      Array.from({ length: levels }, (_, index) => [
        ((middle + sign * (1 + index * step)) * tick).toFixed(digits),
        (0.1 + ((index * 7_919) % 13) / 10 + (index === 0 ? random() : 0)).toFixed(8),
      ]),
    );
  return { bids: side(-1), asks: side(1) };
}

/** Returns the changes that turn one side into another; a size of 0 removes the level. */
export function diffSides(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): [price: string, size: string][] {
  const changes: [string, string][] = [];
  for (const price of before.keys()) if (!after.has(price)) changes.push([price, "0.00000000"]);
  for (const [price, size] of after) if (before.get(price) !== size) changes.push([price, size]);
  return changes;
}
