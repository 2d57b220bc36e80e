import type { RandomDraws } from "#core/market/simulate/draws.ts";
import { exp } from "#core/market/simulate/exact.ts";
import type { Model, ModelSymbol } from "#core/market/simulate/model.ts";
import {
  type AssetParameters,
  dislocations,
  market,
  type StepFactors,
  silence,
  venueLag,
  venueSpread,
  venues,
} from "#core/market/simulate/parameters.ts";
import type { SimulatorState } from "#core/market/simulate/state.ts";

/** Output of a step besides the new state. Reused from step to step: read it before the next. */
export interface StepResult {
  /** Common price of each symbol as a float, before venues and rounding. */
  fair: Float64Array;
  /** Traded in the step on all venues together, in ten-thousandths of the base asset. */
  volume: Float64Array;
  /** By asset: how far the logarithm of its common price moved, and that price. */
  moves: Float64Array;
  prices: Float64Array;
}

export function createStepResult({ symbols, assets }: Model): StepResult {
  return {
    fair: new Float64Array(symbols.length),
    volume: new Float64Array(symbols.length),
    moves: new Float64Array(assets.length),
    prices: new Float64Array(assets.length),
  };
}

/**
 * Moves the common prices by one step: volatilities fluctuate; each coin gets a common and an
 * idiosyncratic movement and occasionally a jump; all are pulled weakly to their anchors. Moves are
 * added to logarithms and drawn symmetrically, so up and down are equally likely. Stores each
 * asset's move in `moves`.
 */
function moveLevels(
  { assets, anchors, coinCount }: Model,
  state: SimulatorState,
  draws: RandomDraws,
  factors: StepFactors,
  moves: Float64Array,
): void {
  const { level, volatility } = state;
  // E[exp(2h)] = 1 at this mean, so volatility keeps its average while it fluctuates.
  const mean = -market.logVolatilityDeviation * market.logVolatilityDeviation;
  for (let i = 0; i <= coinCount; i += 1) {
    const from = volatility[i] as number;
    volatility[i] =
      mean + (from - mean) * factors.volatilityKept + factors.volatilityDeviation * draws.normal();
  }
  let marketMove = factors.marketDeviation * exp(volatility[0] as number) * draws.normal();
  const commonJump = draws.uniform() < factors.marketJumpChance;
  const commonSize = market.jumpSize * draws.normal();
  if (commonJump) marketMove += commonSize;
  for (let i = 0; i < assets.length; i += 1) {
    const asset = assets[i] as AssetParameters;
    const assetVolatility = i < coinCount ? exp(volatility[i + 1] as number) : 1;
    let move =
      asset.beta * marketMove +
      (factors.assetDeviation[i] as number) * assetVolatility * draws.normal();
    const jumps = draws.uniform() < (factors.assetJumpChance[i] as number);
    const size = asset.jumpSize * draws.normal();
    if (jumps) move += size;
    move -= (factors.assetPull[i] as number) * ((level[i] as number) - (anchors[i] as number));
    moves[i] = move;
    level[i] = (level[i] as number) + move;
  }
}

/** Fills `result` with the common price of each asset and of each symbol. */
export function priceSymbols(
  { symbols, assets }: Pick<Model, "symbols" | "assets">,
  state: Pick<SimulatorState, "level">,
  { prices, fair }: Pick<StepResult, "prices" | "fair">,
): void {
  for (let i = 0; i < assets.length; i += 1) prices[i] = exp(state.level[i] as number);
  for (let s = 0; s < symbols.length; s += 1) {
    const { base, quote } = symbols[s] as ModelSymbol;
    fair[s] = (prices[base] as number) / (quote < 0 ? 1 : (prices[quote] as number));
  }
}

/**
 * Fills `result` with the common price and the volume of each symbol; volume rises in volatile
 * minutes and on large moves.
 */
function tradeSymbols(
  { symbols, assets }: Model,
  state: SimulatorState,
  draws: RandomDraws,
  seconds: number,
  result: StepResult,
): void {
  const { moves } = result;
  priceSymbols({ symbols, assets }, state, result);
  const liveliness = 0.5 + 0.5 * exp(state.volatility[0] as number);
  for (let s = 0; s < symbols.length; s += 1) {
    const { base, volume } = symbols[s] as ModelSymbol;
    const move = Math.abs(moves[base] as number) * 2_000;
    const chance = draws.uniform();
    const amount = volume * seconds;
    result.volume[s] = Math.floor(
      amount * 3 * chance * chance * (liveliness + (move < 3 ? move : 3)),
    );
  }
}

/** Steps one second: the common prices, then each venue's quotes. Changes `state` in place. */
export function stepSecond(
  model: Model,
  state: SimulatorState,
  draws: RandomDraws,
  second: number,
  result: StepResult,
): void {
  draws.seek("second", second);
  moveLevels(model, state, draws, model.oneSecond, result.moves);
  tradeSymbols(model, state, draws, 1, result);
  stepVenues(model, state, draws, result);
}

/**
 * Steps the venues one second around the common prices of `result`: each follows the moves with its
 * lag, and quotes unless it is silent. Changes `state` in place.
 */
export function stepVenues(
  model: Model,
  state: SimulatorState,
  draws: RandomDraws,
  result: StepResult,
): void {
  const { moves } = result;
  const assetCount = model.assets.length;
  const width = 0.7 + 0.3 * exp(state.volatility[0] as number);
  for (let v = 0; v < venues.length; v += 1) {
    for (let i = 0; i < assetCount; i += 1) {
      const index = v * assetCount + i;
      state.lag[index] =
        ((state.lag[index] as number) - (moves[i] as number)) * (venueLag[v] as number);
    }
    moveVenue(model, state, draws, v);
    const isQuoting = stepSilence(state, draws, v);
    if (isQuoting) quoteVenue(model, state, v, width * (venueSpread[v] as number), result);
  }
}

function moveVenue(
  { symbols }: Model,
  state: SimulatorState,
  draws: RandomDraws,
  venue: number,
): void {
  for (let s = 0; s < symbols.length; s += 1) {
    const index = venue * symbols.length + s;
    const factors = symbols[s] as ModelSymbol;
    state.basis[index] =
      (state.basis[index] as number) * factors.basisKept + factors.basisDeviation * draws.noise();
    state.noise[index] =
      (state.noise[index] as number) * factors.noiseKept + factors.noiseDeviation * draws.noise();
    state.dislocation[index] = (state.dislocation[index] as number) * factors.dislocationKept;
  }
  dislocateVenue(symbols, state, draws, venue);
}

/** Draws the same number of words whether a symbol of the venue is dislocated or not. */
function dislocateVenue(
  symbols: Model["symbols"],
  state: SimulatorState,
  draws: RandomDraws,
  venue: number,
): void {
  const symbol = Math.floor(draws.uniform() / dislocations.chance);
  const size = draws.normal();
  if (symbol >= symbols.length) return;
  const index = venue * symbols.length + symbol;
  const { dislocationDeviation } = symbols[symbol] as ModelSymbol;
  state.dislocation[index] = (state.dislocation[index] as number) + dislocationDeviation * size;
}

/** Returns true if the venue quotes in this second. Draws the same number of words either way. */
function stepSilence(state: SimulatorState, draws: RandomDraws, venue: number): boolean {
  const starts = draws.uniform() < silence.chance;
  const span = silence.longestSeconds - silence.shortestSeconds + 1;
  const length = silence.shortestSeconds + Math.floor(draws.uniform() * span);
  if ((state.silent[venue] as number) > 0) {
    state.silent[venue] = (state.silent[venue] as number) - 1;
  } else if (starts) {
    state.silent[venue] = length;
  }
  const isQuoting = state.silent[venue] === 0;
  // Capped: nothing needs more, and a state should not grow with time.
  state.age[venue] = isQuoting ? 0 : Math.min((state.age[venue] as number) + 1, 3_600);
  return isQuoting;
}

function quoteVenue(
  { symbols, assets: { length: assetCount } }: Model,
  state: SimulatorState,
  venue: number,
  width: number,
  result: StepResult,
): void {
  for (let s = 0; s < symbols.length; s += 1) {
    const index = venue * symbols.length + s;
    const { base, quote, unit, halfSpread } = symbols[s] as ModelSymbol;
    const lag =
      (state.lag[venue * assetCount + base] as number) -
      (quote < 0 ? 0 : (state.lag[venue * assetCount + quote] as number));
    const multiplier =
      1 +
      lag +
      (state.basis[index] as number) +
      (state.noise[index] as number) +
      (state.dislocation[index] as number);
    const mid = (result.fair[s] as number) * unit * multiplier;
    const half = mid * halfSpread * width;
    const bid = Math.max(1, Math.floor(mid - half));
    state.bid[index] = bid;
    state.ask[index] = Math.max(bid + 1, Math.ceil(mid + half));
  }
}

/**
 * A coarse step of `factors.seconds`, for history before the first second and for time without a
 * process: only the common prices move. Venues snap to them, keeping their basis.
 */
export function stepCoarse(
  model: Model,
  state: SimulatorState,
  draws: RandomDraws,
  second: number,
  factors: StepFactors,
  result: StepResult,
): void {
  draws.seek("coarse", second, factors.seconds);
  moveLevels(model, state, draws, factors, result.moves);
  tradeSymbols(model, state, draws, factors.seconds, result);
  state.lag.fill(0);
  state.dislocation.fill(0);
  state.silent.fill(0);
}
