import { MismatchError } from "../log/bytes.ts";
import {
  coarseSeconds,
  computeFactors,
  day,
  exp,
  type Factors,
  type Model,
  venues,
} from "./model.ts";
import { RandomWords } from "./words.ts";

/** "State", "A second" and "A coarse step" of docs/formats/simulator.md. */

export interface State {
  level: number[];
  volatility: number[];
  /** By venue, then by asset or symbol. */
  lag: number[];
  basis: number[];
  noise: number[];
  dislocation: number[];
  bid: number[];
  ask: number[];
  /** By venue. */
  silent: number[];
  age: number[];
}

const getLayout = ({ assets, coins, symbols }: Model): [keyof State, number][] => {
  const pairs = venues.length * symbols.length;
  return [
    ["level", assets.length],
    ["volatility", 1 + coins],
    ["lag", venues.length * assets.length],
    ["basis", pairs],
    ["noise", pairs],
    ["dislocation", pairs],
    ["bid", pairs],
    ["ask", pairs],
    ["silent", venues.length],
    ["age", venues.length],
  ];
};

export function parseState(model: Model, bytes: Buffer): State {
  const layout = getLayout(model);
  const count = layout.reduce((sum, [, length]) => sum + length, 0);
  if (bytes.length !== 8 * count)
    throw new MismatchError("state", "state_malformed", `${bytes.length} bytes`);
  const state = {} as State;
  let offset = 0;
  for (const [name, length] of layout) {
    state[name] = [];
    for (let i = 0; i < length; i++, offset += 8) state[name].push(bytes.readDoubleLE(offset));
    if (!state[name].every(Number.isFinite))
      throw new MismatchError("state", "state_malformed", name);
  }
  return state;
}

export function writeState(model: Model, state: State): Buffer {
  const numbers = getLayout(model).flatMap(([name]) => state[name]);
  const bytes = Buffer.alloc(8 * numbers.length);
  for (const [index, value] of numbers.entries()) bytes.writeDoubleLE(value, 8 * index);
  return bytes;
}

function anchorState(model: Model): State {
  const state = {} as State;
  for (const [name, length] of getLayout(model)) state[name] = new Array<number>(length).fill(0);
  state.level = [...model.anchors];
  return state;
}

/** Moves the common prices; returns by how much each level moved. */
function moveLevels(model: Model, state: State, words: RandomWords, factors: Factors): number[] {
  const mean = -0.09;
  for (let i = 0; i <= model.coins; i++)
    state.volatility[i] =
      mean +
      ((state.volatility[i] as number) - mean) * factors.volatilityKept +
      factors.volatilityMoves * words.normal();
  let marketMove = factors.common * exp(state.volatility[0] as number) * words.normal();
  const jumps = words.uniform() < factors.commonJump;
  const size = 0.003 * words.normal();
  if (jumps) marketMove += size;
  return model.assets.map(({ beta, jumpSize }, i) => {
    const assetVolatility = i < model.coins ? exp(state.volatility[i + 1] as number) : 1;
    let move = beta * marketMove + (factors.own[i] as number) * assetVolatility * words.normal();
    const hasJump = words.uniform() < (factors.ownJump[i] as number);
    const jumpMove = jumpSize * words.normal();
    if (hasJump) move += jumpMove;
    const level = state.level[i] as number;
    move -= (factors.pull[i] as number) * (level - (model.anchors[i] as number));
    state.level[i] = level + move;
    return move;
  });
}

/** One second of the path; changes `state`. */
export function stepSecond(model: Model, state: State, words: RandomWords, second: number): void {
  words.start("second", second);
  const moves = moveLevels(model, state, words, model.second);
  const price = state.level.map(exp);
  for (const _ of model.symbols) words.word();
  const width = 0.7 + 0.3 * exp(state.volatility[0] as number);
  for (const [v, venue] of venues.entries()) {
    const assetsAt = v * model.assets.length;
    for (const [i, move] of moves.entries())
      state.lag[assetsAt + i] = ((state.lag[assetsAt + i] as number) - move) * venue.lag;
    const pairsAt = v * model.symbols.length;
    for (const [s, symbol] of model.symbols.entries()) {
      const index = pairsAt + s;
      state.basis[index] =
        (state.basis[index] as number) * symbol.basisKept + symbol.basisMoves * words.noise();
      state.noise[index] = (state.noise[index] as number) * 0.3 + symbol.noiseMoves * words.noise();
      state.dislocation[index] = (state.dislocation[index] as number) * symbol.dislocationKept;
    }
    const symbolIndex = Math.floor(words.uniform() / (1 / 1_400));
    const dislocation = words.normal();
    const dislocatedSymbol = model.symbols[symbolIndex];
    if (dislocatedSymbol)
      state.dislocation[pairsAt + symbolIndex] =
        (state.dislocation[pairsAt + symbolIndex] as number) +
        dislocatedSymbol.dislocation * dislocation;
    if (!stepSilence(state, words, v)) continue;
    for (const [s, symbol] of model.symbols.entries()) {
      const index = pairsAt + s;
      const dollar = symbol.quote < 0;
      const commonPrice =
        (price[symbol.base] as number) / (dollar ? 1 : (price[symbol.quote] as number));
      const lag =
        (state.lag[assetsAt + symbol.base] as number) -
        (dollar ? 0 : (state.lag[assetsAt + symbol.quote] as number));
      const multiplier =
        1 +
        lag +
        (state.basis[index] as number) +
        (state.noise[index] as number) +
        (state.dislocation[index] as number);
      const mid = commonPrice * symbol.unit * multiplier;
      const half = mid * symbol.halfSpread * (width * venue.spread);
      const bid = Math.max(1, Math.floor(mid - half));
      state.bid[index] = bid;
      state.ask[index] = Math.max(bid + 1, Math.ceil(mid + half));
    }
  }
}

/** Returns true if the venue quotes in this second. */
function stepSilence(state: State, words: RandomWords, v: number): boolean {
  const falls = words.uniform() < 1 / 14_400;
  const length = 2 + Math.floor(words.uniform() * 40);
  const remaining = state.silent[v] as number;
  if (remaining > 0) state.silent[v] = remaining - 1;
  else if (falls) state.silent[v] = length;
  const isQuoting = state.silent[v] === 0;
  state.age[v] = isQuoting ? 0 : Math.min((state.age[v] as number) + 1, 3_600);
  return isQuoting;
}

/** The quotes in a leaf of this second: by symbol and venue, null where there is no fresh quote. */
export function computeQuotes(
  model: Model,
  state: State,
): ({ bid: bigint; ask: bigint } | null)[][] {
  return model.symbols.map((_, s) =>
    venues.map((_venue, v) => {
      const index = v * model.symbols.length + s;
      const bid = state.bid[index] as number;
      if (bid === 0 || (state.age[v] as number) > 5) return null;
      return { bid: BigInt(bid), ask: BigInt(state.ask[index] as number) };
    }),
  );
}

/** Coarse steps of `seconds` from `from` on, while they end by `to`. */
export function crossTime(
  model: Model,
  state: State,
  words: RandomWords,
  { from, to, seconds = coarseSeconds }: { from: number; to: number; seconds?: number },
): void {
  const factors = computeFactors(seconds, model.assets);
  for (let index = from; index + seconds <= to; index += seconds) {
    words.start("coarse", index, seconds);
    moveLevels(model, state, words, factors);
    state.lag.fill(0);
    state.dislocation.fill(0);
    state.silent.fill(0);
  }
}

/** The state before a world's first second, from its first day's seed. */
export function computeHistoryState(model: Model, seed: Uint8Array, first: number): State {
  const state = anchorState(model);
  const words = new RandomWords(seed);
  const halfHour = (second: number) => Math.floor(second / 1_800) * 1_800;
  // 1970 began on a Thursday: weeks begin four days later.
  const week = Math.floor((first - 4 * day) / (7 * day)) * 7 * day + 4 * day;
  const stepChanges = [
    week - 105 * 7 * day,
    halfHour(first - 26 * day),
    halfHour(first - 52 * 3_600),
  ];
  const lengths = [1_800, 300, 10];
  for (const [i, seconds] of lengths.entries()) {
    const from = stepChanges[i] as number;
    const to = stepChanges[i + 1] ?? first;
    // A step may begin before the end and reach past it.
    const last = from + Math.ceil((to - from) / seconds) * seconds;
    crossTime(model, state, words, { from, to: last, seconds });
  }
  return state;
}
