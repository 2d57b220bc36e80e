import { Draws } from "#core/market/simulate/draws.ts";
import { exp } from "#core/market/simulate/exact.ts";
import { type Block, grow, type Tip } from "#core/mining/chain.ts";
import { difficultyOf, epochBlocks, nextBits } from "#core/mining/difficulty.ts";
import { feeBlocks } from "#core/mining/formula.ts";
import { logarithm } from "#core/mining/simulate/logarithm.ts";

/**
 * Name and version of the simulator: a change of any parameter or of the order of draws is another.
 */
export const networkSimulator = "drydock.network/1";

/** Everything that shapes the simulated network; nobody who runs Drydock can set any of it. */
const parameters = {
  /**
   * The first epoch: height, difficulty 86 388 558 925 171. Near the real network's of August 2024.
   */
  height: 854_784,
  bits: 0x17034219,
  /**
   * Blocks that are there before the world's first reading: what the mean fee and the first change
   * of difficulty need.
   */
  blocksBefore: 1_440,
  /**
   * Hashrate: growth of the logarithm per block (0.08 % a day), and its deviation per block (1.5 %
   * a day).
   */
  growth: 0.0008 / 144,
  deviation: 0.015 / 12,
  /**
   * Fees: level in satoshi a block, its pull back per block (half in ten days), its deviation per
   * block, and a block's own.
   */
  feeLevel: 10_000_000,
  feePull: 0.00048,
  feeDeviation: 0.015,
  feeOwn: 0.5,
  feesMax: 500_000_000,
};

/** Where a simulated network starts, for tests that want a halving near. */
export interface NetworkStart {
  height: number;
  bits: number;
}
export const usualStart: NetworkStart = { height: parameters.height, bits: parameters.bits };

/**
 * The network between two blocks. JSON keeps it exactly: heights, seconds and binary64 numbers,
 * fees as texts elsewhere.
 */
export interface NetworkState {
  tip: Tip;
  /** Hashes a second of the whole network. */
  hashrate: number;
  /** Logarithm of the fee level against its anchor. */
  feeLog: number;
}

const blockSeconds = 600;
const hashesPerDifficulty = 4_294_967_296;

/**
 * The state at the world's first reading: `blocksBefore` blocks that nobody could mine, of the
 * first day's seed, so that they end about at `atSeconds` and never after it.
 */
export function startNetwork(
  seed: Uint8Array,
  atSeconds: number,
  { height, bits }: NetworkStart = usualStart,
): NetworkState {
  const first = { height, seconds: 0, bits, fees: BigInt(parameters.feeLevel) };
  let state: NetworkState = {
    tip: { last: first, epochFirstSeconds: 0, recent: [first] },
    hashrate: (Number(difficultyOf(bits)) * hashesPerDifficulty) / blockSeconds,
    feeLog: 0,
  };
  // How long they take shows only when they are there: made from second 0 on, then moved.
  for (let made = 1; made < parameters.blocksBefore; made += 1) state = addBlock(state, seed);
  return moved(state, atSeconds - state.tip.last.seconds);
}

function moved(state: NetworkState, by: number): NetworkState {
  const move = (block: Block): Block => ({ ...block, seconds: block.seconds + by });
  return {
    ...state,
    tip: {
      last: move(state.tip.last),
      epochFirstSeconds: state.tip.epochFirstSeconds + by,
      recent: state.tip.recent.slice(-feeBlocks).map(move),
    },
  };
}

/**
 * The state after one more block, which `seed` decides: that of the UTC day in which the block
 * before it was found. Draws go by height: an exponential time at the present hashrate and
 * difficulty, then the hashrate's and the fees' movement.
 */
function addBlock(state: NetworkState, seed: Uint8Array): NetworkState {
  const { last, epochFirstSeconds } = state.tip;
  const height = last.height + 1;
  const bits =
    height % epochBlocks === 0 ? nextBits(last.bits, epochFirstSeconds, last.seconds) : last.bits;
  const draws = new Draws(seed);
  draws.seek("second", height);
  const uniform = (draws.word() + 1) / hashesPerDifficulty;
  const mean = (Number(difficultyOf(bits)) * hashesPerDifficulty) / state.hashrate;
  const waited = Math.max(1, Math.round(-logarithm(uniform) * mean));
  const hashrate = state.hashrate * exp(parameters.growth + parameters.deviation * draws.normal());
  const feeLog = state.feeLog * (1 - parameters.feePull) + parameters.feeDeviation * draws.normal();
  const fees = Math.floor(
    Math.min(
      parameters.feeLevel * exp(feeLog + parameters.feeOwn * draws.normal()),
      parameters.feesMax,
    ),
  );
  const block = { height, seconds: last.seconds + waited, bits, fees: BigInt(fees) };
  return { tip: grow(state.tip, block), hashrate, feeLog };
}

/**
 * The states after each block found up to `atSeconds`, the seed of each day given by its number
 * since 1970.
 */
export function* runNetwork(
  state: NetworkState,
  atSeconds: number,
  seedOfDay: (day: number) => Uint8Array,
): Generator<NetworkState> {
  for (let next = state; ; ) {
    next = addBlock(next, seedOfDay(Math.floor(next.tip.last.seconds / 86_400)));
    if (next.tip.last.seconds > atSeconds) return;
    yield next;
  }
}
