import { exp, ln2, squareRoot } from "#core/market/simulate/exact.ts";
import { simulatedAssets, type simulatedSymbols } from "#core/market/symbols.ts";

/**
 * Everything that shapes the simulated market, together with the tables of core/market/symbols.ts.
 * Fixed in the source: no operator can change it, and a change is a new `simulatorVersion`, because
 * a revealed seed is only meaningful with the parameters it ran on. A row added to the tables does
 * not affect existing worlds.
 */
export const simulatorVersion = 1;

export const venues = ["north", "south", "mole"] as const;

/** A row of `simulatedAssets` plus what its kind of asset has in common. */
export interface AssetParameters {
  anchor: number;
  beta: number;
  volatility: number;
  /** Days in which half the distance to the anchor is lost. */
  halfLifeDays: number;
  /** Idiosyncratic jumps per day, and the deviation of their size. */
  jumpsPerDay: number;
  jumpSize: number;
}

const coin = { halfLifeDays: 300, jumpsPerDay: 1 };
const stable = { halfLifeDays: 30, jumpsPerDay: 0 };

export type SimulatedAsset = keyof typeof simulatedAssets;

export function getAssetParameters(name: SimulatedAsset): AssetParameters {
  const row = simulatedAssets[name];
  return { ...(row.beta > 0 ? coin : stable), ...row };
}

export const market = {
  /** Common volatility per square root of a year, and the common jumps. */
  volatility: 0.4,
  jumpsPerDay: 2,
  jumpSize: 0.003,
  /**
   * The logarithm of each volatility fluctuates around its level with this deviation and half-life.
   */
  logVolatilityDeviation: 0.3,
  logVolatilityHalfLifeDays: 1 / 3,
};

/**
 * The share of a venue's distance from the common price that remains after a second: 0.1 is fast,
 * 0.4 is slow.
 */
export const venueLag: readonly number[] = [0.1, 0.25, 0.4];
/** Venue spreads relative to the symbol's own. */
export const venueSpread: readonly number[] = [1, 1.3, 1.8];
/** The chance per second that a venue falls silent (about six times a day), and for how long. */
export const silence = { chance: 1 / 14_400, shortestSeconds: 2, longestSeconds: 41 };

interface SymbolMoves {
  /**
   * Deviation of a venue's slow basis against the common price, the basis's half-life in seconds,
   * and the deviation of its fast noise.
   */
  basis: number;
  basisHalfLifeSeconds: number;
  noise: number;
  /** Deviation of the size of a dislocation. */
  dislocation: number;
}

/**
 * Now and then the price of one symbol at one venue comes apart from the others', by a large order
 * or a stalled market maker, and goes back: what makes the tail of gaps between venues. The chance
 * is of each second, venue and symbol.
 */
export const dislocations = { chance: 1 / 1_400, halfLifeSeconds: 60 };

export const bp = 1e-4;
export const symbolMoves = {
  tied: { basis: 1.2 * bp, basisHalfLifeSeconds: 1_200, noise: 0.25 * bp, dislocation: 9 * bp },
  close: { basis: 0.8 * bp, basisHalfLifeSeconds: 1_200, noise: 0.25 * bp, dislocation: 4.5 * bp },
  loose: { basis: 2 * bp, basisHalfLifeSeconds: 1_200, noise: 0.4 * bp, dislocation: 11 * bp },
  firm: { basis: 0.4 * bp, basisHalfLifeSeconds: 86_400, noise: 0.03 * bp, dislocation: 0 },
} as const satisfies Record<
  (typeof simulatedSymbols)[keyof typeof simulatedSymbols]["moves"],
  SymbolMoves
>;

const daySeconds = 86_400;
const yearSeconds = 365.25 * daySeconds;

/** The share of a distance left after `seconds`, when half is lost in `halfLifeSeconds`. */
export function decayFactor(seconds: number, halfLifeSeconds: number): number {
  return exp((-ln2 * seconds) / halfLifeSeconds);
}

/** Factors of a step of `seconds`: computed once per step length in use. */
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

export function stepFactors(seconds: number, assets: readonly AssetParameters[]): StepFactors {
  const root = squareRoot(seconds / yearSeconds);
  const decay = decayFactor(seconds, market.logVolatilityHalfLifeDays * daySeconds);
  return {
    seconds,
    marketDeviation: market.volatility * root,
    marketJumpChance: (market.jumpsPerDay * seconds) / daySeconds,
    assetDeviation: assets.map((asset) => asset.volatility * root),
    assetPull: assets.map((asset) => 1 - decayFactor(seconds, asset.halfLifeDays * daySeconds)),
    assetJumpChance: assets.map((asset) => (asset.jumpsPerDay * seconds) / daySeconds),
    volatilityKept: decay,
    volatilityDeviation: market.logVolatilityDeviation * squareRoot(1 - decay * decay),
  };
}
