import { exp, ln2, squareRoot } from "#core/market/simulate/exact.ts";
import type { MarketSymbol } from "#core/market/symbols.ts";
import { symbolNames, symbols } from "#core/market/symbols.ts";

/**
 * Everything that shapes the simulated market. Fixed in the source: nobody who runs Drydock can set any of it, and a
 * change is a new `simulatorVersion`, because a revealed seed is only worth something with the parameters it ran on.
 */
export const simulatorVersion = 1;

export const venues = ["north", "south", "mole"] as const;

interface AssetParameters {
  /** US dollars around which the level wanders. */
  anchor: number;
  /** How strongly it follows the common movement of the market. */
  beta: number;
  /** Own volatility per square root of a year, beside the common one. */
  volatility: number;
  /** Days in which half of the distance to the anchor is lost. */
  halfLifeDays: number;
  /** Own jumps a day, and the deviation of their size. */
  jumpsPerDay: number;
  jumpSize: number;
}

const coin = { halfLifeDays: 300, jumpsPerDay: 1 };
const stable = { anchor: 1, beta: 0, halfLifeDays: 30, jumpsPerDay: 0, jumpSize: 0 };

/** Coins of the real world that the symbols are made of, priced in US dollars, which has no movement of its own. */
const assetTable = {
  BTC: { ...coin, anchor: 64_000, beta: 1, volatility: 0.25, jumpSize: 0.003 },
  ETH: { ...coin, anchor: 3_100, beta: 1.15, volatility: 0.4, jumpSize: 0.004 },
  BNB: { ...coin, anchor: 580, beta: 0.9, volatility: 0.38, jumpSize: 0.004 },
  SOL: { ...coin, anchor: 145, beta: 1.4, volatility: 0.6, jumpSize: 0.006 },
  XRP: { ...coin, anchor: 0.58, beta: 1.1, volatility: 0.65, jumpSize: 0.006 },
  DOGE: { ...coin, anchor: 0.12, beta: 1.4, volatility: 0.8, jumpSize: 0.008 },
  USDT: { ...stable, volatility: 0.0033 },
  USDC: { ...stable, volatility: 0.0028 },
} as const satisfies Record<string, AssetParameters>;

export const market = {
  /** Common volatility per square root of a year, and the common jumps. */
  volatility: 0.4,
  jumpsPerDay: 2,
  jumpSize: 0.003,
  /** The logarithm of each volatility wanders with this deviation and half-life around its level. */
  logVolatilityDeviation: 0.3,
  logVolatilityHalfLifeDays: 1 / 3,
};

/** What remains after a second of a venue's distance from the common price: 0.1 is quick, 0.4 is slow. */
export const venueLag: readonly number[] = [0.1, 0.25, 0.4];
/** Spreads of a venue against the symbol's own. */
export const venueSpread: readonly number[] = [1, 1.3, 1.8];
/** The chance that a venue falls silent in a second (about six times a day), and for how long at most. */
export const silence = { chance: 1 / 14_400, shortestSeconds: 2, longestSeconds: 41 };

interface SymbolParameters {
  /** Half of the spread at a quick venue in calm, as a share of the price; at least one step in all. */
  halfSpread: number;
  /** Deviation of a venue's slow basis against the common price, its half-life in seconds, and of its quick noise. */
  basis: number;
  basisHalfLifeSeconds: number;
  noise: number;
  /** Base units traded in a second on all venues together, on average and about. */
  volume: number;
}

const bp = 1e-4;
const tied = { basis: 2 * bp, basisHalfLifeSeconds: 1_200, noise: 0.25 * bp };
const loose = { basis: 3 * bp, basisHalfLifeSeconds: 1_200, noise: 0.4 * bp };
const firm = {
  halfSpread: 0.05 * bp,
  basis: 0.4 * bp,
  basisHalfLifeSeconds: 86_400,
  noise: 0.03 * bp,
};

export const symbolTable: Readonly<Record<MarketSymbol, SymbolParameters>> = {
  "BTC/USDT": { ...tied, halfSpread: 0.3 * bp, volume: 0.3 },
  "ETH/USDT": { ...tied, halfSpread: 0.4 * bp, volume: 4 },
  "BTC/USDC": { ...tied, halfSpread: 0.6 * bp, volume: 0.04 },
  "BTC/USD": { ...tied, halfSpread: 0.5 * bp, volume: 0.12 },
  "BNB/USDT": { ...loose, halfSpread: 0.8 * bp, volume: 3 },
  "SOL/USDT": { ...loose, halfSpread: 0.8 * bp, volume: 40 },
  "XRP/USDT": { ...loose, halfSpread: 1 * bp, volume: 6_000 },
  "DOGE/USDT": { ...loose, halfSpread: 1 * bp, volume: 12_000 },
  "USDC/USDT": { ...firm, volume: 9_000 },
  "USDT/USD": { ...firm, volume: 2_500 },
  "USDC/USD": { ...firm, volume: 1_200 },
};

export type Asset = keyof typeof assetTable;
export const assetNames = Object.keys(assetTable) as Asset[];
export const assetParameters: readonly AssetParameters[] = assetNames.map(
  (name) => assetTable[name],
);
/** Assets that move with the market and have a volatility of their own; they come first. */
export const coinCount = assetParameters.filter((asset) => asset.beta > 0).length;

const powersOfTen = [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000];

/** For each symbol in registry order the numbers of its base and quote asset; -1 is the US dollar. */
export const symbolAssets: readonly { base: number; quote: number; unit: number }[] =
  symbolNames.map((name) => ({
    base: assetNames.indexOf(symbols[name].base as Asset),
    quote: assetNames.indexOf(symbols[name].quote as Asset),
    unit: powersOfTen[symbols[name].scale] as number,
  }));

const daySeconds = 86_400;
const yearSeconds = 365.25 * daySeconds;

/** The factor that is left of a distance after `seconds`, when half is lost in `halfLifeSeconds`. */
export function keptAfter(seconds: number, halfLifeSeconds: number): number {
  return exp((-ln2 * seconds) / halfLifeSeconds);
}

/** What a step of `seconds` needs to know: computed once for each length of step there is. */
export interface StepFactors {
  seconds: number;
  marketDeviation: number;
  marketJumpChance: number;
  assetDeviation: readonly number[];
  assetPull: readonly number[];
  assetJumpChance: readonly number[];
  volatilityKept: number;
  volatilityDeviation: number;
}

export function stepFactors(seconds: number): StepFactors {
  const root = squareRoot(seconds / yearSeconds);
  const kept = keptAfter(seconds, market.logVolatilityHalfLifeDays * daySeconds);
  return {
    seconds,
    marketDeviation: market.volatility * root,
    marketJumpChance: (market.jumpsPerDay * seconds) / daySeconds,
    assetDeviation: assetParameters.map((asset) => asset.volatility * root),
    assetPull: assetParameters.map(
      (asset) => 1 - keptAfter(seconds, asset.halfLifeDays * daySeconds),
    ),
    assetJumpChance: assetParameters.map((asset) => (asset.jumpsPerDay * seconds) / daySeconds),
    volatilityKept: kept,
    volatilityDeviation: market.logVolatilityDeviation * squareRoot(1 - kept * kept),
  };
}
