/**
 * The symbols a new world has an index for. A market keeps its real name (BTC/USDT); only balances
 * are practice coins. `scale` is the digits after the point of a price. Source:
 * docs/rules/units.md.
 *
 * A world keeps the list it was created with, so rows may be added anywhere without affecting
 * existing worlds. A row that worlds use must neither change nor be removed.
 */
export const symbols = {
  "BTC/USDT": { base: "BTC", quote: "USDT", scale: 2, type: "major" },
  "ETH/USDT": { base: "ETH", quote: "USDT", scale: 2, type: "major" },
  "BTC/USDC": { base: "BTC", quote: "USDC", scale: 2, type: "major" },
  "BTC/USD": { base: "BTC", quote: "USD", scale: 2, type: "major" },
  "BNB/USDT": { base: "BNB", quote: "USDT", scale: 2, type: "alt" },
  "SOL/USDT": { base: "SOL", quote: "USDT", scale: 3, type: "alt" },
  "XRP/USDT": { base: "XRP", quote: "USDT", scale: 5, type: "alt" },
  "DOGE/USDT": { base: "DOGE", quote: "USDT", scale: 6, type: "alt" },
  "USDC/USDT": { base: "USDC", quote: "USDT", scale: 5, type: "stable" },
  "USDT/USD": { base: "USDT", quote: "USD", scale: 5, type: "stable" },
  "USDC/USD": { base: "USDC", quote: "USD", scale: 5, type: "stable" },
} as const;

export type MarketSymbol = keyof typeof symbols;

/**
 * How each symbol is simulated. `halfSpread` (basis points): half the spread at a fast venue in a
 * calm market. `volume`: approximate average of base units traded per second on all venues
 * together. `moves` names a row of `symbolMoves` in core/market/simulate/parameters.ts.
 */
export const simulatedSymbols = {
  "BTC/USDT": { moves: "tied", halfSpread: 0.3, volume: 0.3 },
  "ETH/USDT": { moves: "tied", halfSpread: 0.4, volume: 4 },
  "BTC/USDC": { moves: "tied", halfSpread: 0.6, volume: 0.04 },
  "BTC/USD": { moves: "close", halfSpread: 0.5, volume: 0.12 },
  "BNB/USDT": { moves: "loose", halfSpread: 0.8, volume: 3 },
  "SOL/USDT": { moves: "loose", halfSpread: 0.8, volume: 40 },
  "XRP/USDT": { moves: "loose", halfSpread: 1, volume: 6_000 },
  "DOGE/USDT": { moves: "loose", halfSpread: 1, volume: 12_000 },
  "USDC/USDT": { moves: "firm", halfSpread: 0.05, volume: 9_000 },
  "USDT/USD": { moves: "firm", halfSpread: 0.05, volume: 2_500 },
  "USDC/USD": { moves: "firm", halfSpread: 0.05, volume: 1_200 },
} as const satisfies Record<MarketSymbol, { moves: string; halfSpread: number; volume: number }>;

/**
 * The assets symbols are made of, priced in US dollars, which themselves do not move. `anchor`: the
 * price the level reverts to; `beta`: sensitivity to the common movement, 0 for a stablecoin;
 * `volatility`: idiosyncratic, per square root of a year; `jumpSize`: the standard deviation of its
 * idiosyncratic jumps.
 */
export const simulatedAssets = {
  BTC: { anchor: 64_000, beta: 1, volatility: 0.25, jumpSize: 0.003 },
  ETH: { anchor: 3_100, beta: 1.15, volatility: 0.4, jumpSize: 0.004 },
  BNB: { anchor: 580, beta: 0.9, volatility: 0.38, jumpSize: 0.004 },
  SOL: { anchor: 145, beta: 1.4, volatility: 0.6, jumpSize: 0.006 },
  XRP: { anchor: 0.58, beta: 1.1, volatility: 0.65, jumpSize: 0.006 },
  DOGE: { anchor: 0.12, beta: 1.4, volatility: 0.8, jumpSize: 0.008 },
  USDT: { anchor: 1, beta: 0, volatility: 0.0033, jumpSize: 0 },
  USDC: { anchor: 1, beta: 0, volatility: 0.0028, jumpSize: 0 },
} as const satisfies Record<
  Exclude<(typeof symbols)[MarketSymbol]["base" | "quote"], "USD">,
  { anchor: number; beta: number; volatility: number; jumpSize: number }
>;

/** Registry order, as a new world gets them. Code that runs a world uses that world's list. */
export const symbolNames = Object.keys(symbols) as MarketSymbol[];

/** Returns true if `name` is a registered symbol. */
export function isSymbol(name: string): name is MarketSymbol {
  return Object.hasOwn(symbols, name);
}

/**
 * Maps values in the order of `names` to their symbols; null for registered symbols not among them.
 */
export function mapBySymbol<Value>(
  names: readonly MarketSymbol[],
  values: readonly (Value | null)[],
): Record<MarketSymbol, Value | null> {
  return Object.fromEntries(
    symbolNames.map((name) => [name, values[names.indexOf(name)] ?? null]),
  ) as Record<MarketSymbol, Value | null>;
}
