import { MismatchError } from "../log/bytes.ts";
import type { World } from "../log/leaves.ts";

/** "Functions", "Tables" and "Factors" of docs/formats/simulator.md. */

// biome-ignore lint/suspicious/noApproximativeNumericConstant: the document states these digits
const ln2 = 0.6931471805599453;

export function exp(x: number): number {
  const n = Math.floor(x / ln2 + 0.5);
  const r = x - n * ln2;
  let sum = 1;
  for (let i = 14; i > 0; i--) sum = 1 + (sum * r) / i;
  return sum * 2 ** n;
}

export function sqrt(x: number): number {
  if (x === 0) return 0;
  for (let guess = Math.max(x, 1); ; ) {
    const next = (guess + x / guess) / 2;
    if (next >= guess) return guess;
    guess = next;
  }
}

export function ln(value: number): number {
  let x = 0;
  for (let round = 0; round < 60; round++) {
    const e = exp(x);
    x += (2 * (value - e)) / (value + e);
  }
  return x;
}

const decay = (seconds: number, halfLife: number): number => exp((-ln2 * seconds) / halfLife);

export const day = 86_400;
const year = 31_557_600;
export const coarseSeconds = 300;

export const venues = [
  { name: "north", lag: 0.1, spread: 1 },
  { name: "south", lag: 0.25, spread: 1.3 },
  { name: "mole", lag: 0.4, spread: 1.8 },
] as const;

interface Asset {
  name: string;
  anchor: number;
  beta: number;
  volatility: number;
  jumpSize: number;
}

const assets: readonly Asset[] = [
  { name: "BTC", anchor: 64_000, beta: 1, volatility: 0.25, jumpSize: 0.003 },
  { name: "ETH", anchor: 3_100, beta: 1.15, volatility: 0.4, jumpSize: 0.004 },
  { name: "BNB", anchor: 580, beta: 0.9, volatility: 0.38, jumpSize: 0.004 },
  { name: "SOL", anchor: 145, beta: 1.4, volatility: 0.6, jumpSize: 0.006 },
  { name: "XRP", anchor: 0.58, beta: 1.1, volatility: 0.65, jumpSize: 0.006 },
  { name: "DOGE", anchor: 0.12, beta: 1.4, volatility: 0.8, jumpSize: 0.008 },
  { name: "USDT", anchor: 1, beta: 0, volatility: 0.0033, jumpSize: 0 },
  { name: "USDC", anchor: 1, beta: 0, volatility: 0.0028, jumpSize: 0 },
];

/** Basis, its half-life in seconds, noise and dislocation; all but the half-life in basis points. */
const moves = {
  tied: [1.2, 1_200, 0.25, 9],
  close: [0.8, 1_200, 0.25, 4.5],
  loose: [2, 1_200, 0.4, 11],
  firm: [0.4, 86_400, 0.03, 0],
} as const;

/** Digits after the point, kind of moves, and half-spread in basis points. */
const symbols: Record<string, [scale: number, keyof typeof moves, number]> = {
  "BTC/USDT": [2, "tied", 0.3],
  "ETH/USDT": [2, "tied", 0.4],
  "BTC/USDC": [2, "tied", 0.6],
  "BTC/USD": [2, "close", 0.5],
  "BNB/USDT": [2, "loose", 0.8],
  "SOL/USDT": [3, "loose", 0.8],
  "XRP/USDT": [5, "loose", 1],
  "DOGE/USDT": [6, "loose", 1],
  "USDC/USDT": [5, "firm", 0.05],
  "USDT/USD": [5, "firm", 0.05],
  "USDC/USD": [5, "firm", 0.05],
};

export interface Factors {
  common: number;
  commonJump: number;
  own: number[];
  pull: number[];
  ownJump: number[];
  volatilityKept: number;
  volatilityMoves: number;
}

export interface Model {
  assets: Asset[];
  /** `ln` of each asset's anchor. */
  anchors: number[];
  coins: number;
  symbols: {
    base: number;
    /** -1: the US dollar. */
    quote: number;
    unit: number;
    basisKept: number;
    basisMoves: number;
    noiseMoves: number;
    dislocationKept: number;
    dislocation: number;
    halfSpread: number;
  }[];
  second: Factors;
}

/** The model of a world's symbols; refuses a world that version 1 cannot have. */
export function createModel({
  simulator,
  symbols: listedSymbols,
  venues: venueNames,
}: World): Model {
  if (simulator !== 1)
    throw new MismatchError("simulator", "simulator_unknown", `version ${simulator}`);
  if (venueNames.join() !== venues.map(({ name }) => name).join())
    throw new MismatchError("simulator", "simulator_unknown", `venues ${venueNames.join(", ")}`);
  const names = new Set<string>();
  for (const { name, scale, venues: listing } of listedSymbols) {
    if (!Object.hasOwn(symbols, name) || symbols[name]?.[0] !== scale || listing.length !== 3)
      throw new MismatchError("simulator", "simulator_unknown", `symbol ${name}`);
    for (const part of name.split("/")) if (part !== "USD") names.add(part);
  }
  const worldAssets = [...names].map(
    (name) => assets.find((asset) => asset.name === name) as Asset,
  );
  const coins = worldAssets.filter(({ beta }) => beta > 0);
  const orderedAssets = [...coins, ...worldAssets.filter(({ beta }) => beta === 0)];
  const indexOfAsset = (name: string | undefined) =>
    orderedAssets.findIndex((asset) => asset.name === name);
  return {
    assets: orderedAssets,
    anchors: orderedAssets.map(({ anchor }) => ln(anchor)),
    coins: coins.length,
    symbols: listedSymbols.map(({ name }) => {
      const [scale, kind, halfSpread] = symbols[name] as (typeof symbols)[string];
      const [basis, halfLife, noise, dislocation] = moves[kind];
      const [base, quote] = name.split("/");
      const basisKept = decay(1, halfLife);
      return {
        base: indexOfAsset(base),
        quote: indexOfAsset(quote),
        unit: 10 ** scale,
        basisKept,
        basisMoves: basis * 1e-4 * sqrt(1 - basisKept * basisKept),
        noiseMoves: noise * 1e-4 * sqrt(1 - 0.09),
        dislocationKept: decay(1, 60),
        dislocation: dislocation * 1e-4,
        halfSpread: halfSpread * 1e-4,
      };
    }),
    second: computeFactors(1, orderedAssets),
  };
}

export function computeFactors(seconds: number, orderedAssets: readonly Asset[]): Factors {
  const root = sqrt(seconds / year);
  const volatilityKept = decay(seconds, 28_800);
  return {
    common: 0.4 * root,
    commonJump: (2 * seconds) / day,
    own: orderedAssets.map(({ volatility }) => volatility * root),
    pull: orderedAssets.map(({ beta }) => 1 - decay(seconds, (beta > 0 ? 300 : 30) * day)),
    ownJump: orderedAssets.map(({ beta }) => ((beta > 0 ? 1 : 0) * seconds) / day),
    volatilityKept,
    volatilityMoves: 0.3 * sqrt(1 - volatilityKept * volatilityKept),
  };
}
