import { squareRoot } from "#core/market/simulate/exact.ts";
import {
  type AssetParameters,
  bp,
  decayFactor,
  dislocations,
  getAssetParameters,
  type SimulatedAsset,
  type StepFactors,
  simulatorVersion,
  stepFactors,
  symbolMoves,
  venues,
} from "#core/market/simulate/parameters.ts";
import { logarithm, type StateLayout, type StateShape } from "#core/market/simulate/state.ts";
import { isSymbol, type MarketSymbol, simulatedSymbols, symbols } from "#core/market/symbols.ts";

/** Returns true if this code can run or check a world of this version. */
export function isSimulatorVersion(version: number): boolean {
  // Add later versions next to earlier ones, in `createModel` too: worlds keep the one they were
  // created with.
  return version === simulatorVersion;
}

/** Step length, in seconds, for time without a process and for old history. */
export const coarseSeconds = 300;

/** The simulated market of one list of symbols: what its states and steps consist of. */
export interface Model extends StateShape {
  /** The simulator's name in a `reveal` leaf. */
  readonly name: string;
  /** The order of `symbols`, of quote columns and of everything else indexed by symbol. */
  readonly names: readonly MarketSymbol[];
  readonly symbols: readonly ModelSymbol[];
  readonly assets: readonly AssetParameters[];
  /** Number of assets that move with the market and have their own volatility; they come first. */
  readonly coinCount: number;
  readonly oneSecond: StepFactors;
  readonly coarse: StepFactors;
}

export interface ModelSymbol {
  /** Indexes of its two assets; -1 is the US dollar. */
  base: number;
  quote: number;
  /** The integer price of one US dollar, or of one unit of the quote asset. */
  unit: number;
  basisKept: number;
  basisDeviation: number;
  noiseKept: number;
  noiseDeviation: number;
  dislocationKept: number;
  dislocationDeviation: number;
  halfSpread: number;
  /** Average per second, in ten-thousandths of the base asset. */
  volume: number;
}

/**
 * The market of the symbols `names`, in a world's order: the same list gives the same market,
 * regardless of the rest of the registry. Throws a RangeError on an unknown symbol or version.
 */
export function createModel(names: readonly string[], version: number = simulatorVersion): Model {
  if (!isSimulatorVersion(version)) {
    throw new RangeError(`unknown simulator version ${version}`);
  }
  const knownSymbols = names.filter(isSymbol);
  if (knownSymbols.length < names.length) throw new RangeError("unknown symbol");
  const assetNames = listAssets(knownSymbols);
  const assets = assetNames.map(getAssetParameters);
  const coinCount = assets.filter((asset) => asset.beta > 0).length;
  const pairs = venues.length * knownSymbols.length;
  const layout: StateLayout = [
    ["level", assets.length],
    ["volatility", 1 + coinCount],
    ["lag", venues.length * assets.length],
    ["basis", pairs],
    ["noise", pairs],
    ["dislocation", pairs],
    ["bid", pairs],
    ["ask", pairs],
    ["silent", venues.length],
    ["age", venues.length],
  ];
  return {
    name: `drydock.simulate/${version}`,
    names: knownSymbols,
    symbols: knownSymbols.map((name) => toModelSymbol(name, assetNames)),
    assets,
    anchors: assets.map((asset) => logarithm(asset.anchor)),
    coinCount,
    layout,
    stateBytes: layout.reduce((sum, [, length]) => sum + length * 8, 0),
    oneSecond: stepFactors(1, assets),
    coarse: stepFactors(coarseSeconds, assets),
  };
}

/**
 * Assets in the order in which the symbols first name them, coins before stablecoins: the list
 * alone determines it.
 */
function listAssets(names: readonly MarketSymbol[]): SimulatedAsset[] {
  const assets = new Set<SimulatedAsset>();
  for (const name of names) {
    const { base, quote } = symbols[name];
    assets.add(base);
    if (quote !== "USD") assets.add(quote);
  }
  const isCoin = (asset: SimulatedAsset) => getAssetParameters(asset).beta > 0;
  return [...[...assets].filter(isCoin), ...[...assets].filter((asset) => !isCoin(asset))];
}

const powersOfTen = [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000];

function toModelSymbol(name: MarketSymbol, assetNames: readonly SimulatedAsset[]): ModelSymbol {
  const { base, quote, scale } = symbols[name];
  const { moves, halfSpread, volume } = simulatedSymbols[name];
  const { basis, basisHalfLifeSeconds, noise, dislocation } = symbolMoves[moves];
  const decay = decayFactor(1, basisHalfLifeSeconds);
  return {
    base: assetNames.indexOf(base),
    quote: quote === "USD" ? -1 : assetNames.indexOf(quote),
    unit: powersOfTen[scale] as number,
    basisKept: decay,
    basisDeviation: basis * squareRoot(1 - decay * decay),
    noiseKept: 0.3,
    noiseDeviation: noise * squareRoot(1 - 0.09),
    dislocationKept: decayFactor(1, dislocations.halfLifeSeconds),
    dislocationDeviation: dislocation,
    halfSpread: halfSpread * bp,
    volume: volume * 10_000,
  };
}
