import { RandomDraws } from "#core/market/simulate/draws.ts";
import { exp } from "#core/market/simulate/exact.ts";
import { addBlock, type Block, type ChainTip } from "#core/mining/chain.ts";
import { bitsToDifficulty, epochBlocks, nextBits } from "#core/mining/difficulty.ts";
import { feeBlocks } from "#core/mining/formula.ts";
import { logarithm } from "#core/mining/simulate/logarithm.ts";

/**
 * Name and version of the simulator: a change to any parameter or to the order of draws is a new
 * version.
 */
export const networkSimulator = "drydock.network/1";

/** Everything that shapes the simulated network; no operator can change it. */
const parameters = {
  /**
   * The first epoch: height, and difficulty 86 388 558 925 171. Close to the real network in August
   * 2024.
   */
  height: 854_784,
  bits: 0x17034219,
  /**
   * Blocks before the world's first reading: enough for the mean fee and the first change of
   * difficulty.
   */
  blocksBefore: 1_440,
  /**
   * Hashrate: growth of its logarithm per block (0.08 % a day), and deviation per block (1.5 % a
   * day).
   */
  growth: 0.0008 / 144,
  deviation: 0.015 / 12,
  /**
   * Fees: level in satoshi per block; reversion per block (half in ten days); deviation per block;
   * and each block's own deviation.
   */
  feeLevel: 10_000_000,
  feePull: 0.00048,
  feeDeviation: 0.015,
  feeOwn: 0.5,
  feesMax: 500_000_000,
};

/** The start of a simulated network, for tests that need a halving soon. */
export interface NetworkStart {
  height: number;
  bits: number;
}
export const defaultStart: NetworkStart = { height: parameters.height, bits: parameters.bits };

/**
 * The network between two blocks. JSON preserves it exactly: heights, seconds and binary64 numbers;
 * fees are stored as text elsewhere.
 */
export interface NetworkState {
  tip: ChainTip;
  /** Hashes per second of the whole network. */
  hashrate: number;
  /** Logarithm of the fee level relative to its anchor. */
  feeLog: number;
}

const blockSeconds = 600;
const hashesPerDifficulty = 4_294_967_296;

/**
 * The state at the world's first reading: `blocksBefore` blocks that no one could mine, drawn from
 * the first day's seed, ending at `atSeconds`.
 */
export function startNetwork(
  seed: Uint8Array,
  atSeconds: number,
  { height, bits }: NetworkStart = defaultStart,
): NetworkState {
  const first = { height, seconds: 0, bits, fees: BigInt(parameters.feeLevel) };
  let state: NetworkState = {
    tip: { last: first, epochFirstSeconds: 0, recent: [first] },
    hashrate: (Number(bitsToDifficulty(bits)) * hashesPerDifficulty) / blockSeconds,
    feeLog: 0,
  };
  // Their total duration is known only at the end, so start at second 0 and shift afterwards.
  for (let count = 1; count < parameters.blocksBefore; count += 1) state = mineBlock(state, seed);
  return shiftTime(state, atSeconds - state.tip.last.seconds);
}

function shiftTime(state: NetworkState, seconds: number): NetworkState {
  const shiftBlock = (block: Block): Block => ({ ...block, seconds: block.seconds + seconds });
  return {
    ...state,
    tip: {
      last: shiftBlock(state.tip.last),
      epochFirstSeconds: state.tip.epochFirstSeconds + seconds,
      recent: state.tip.recent.slice(-feeBlocks).map(shiftBlock),
    },
  };
}

/**
 * The state after one more block, drawn from `seed`: that of the UTC day in which the previous
 * block was found. Draws are keyed by height: an exponential waiting time at the current hashrate
 * and difficulty, then the movement of hashrate and fees.
 */
function mineBlock(state: NetworkState, seed: Uint8Array): NetworkState {
  const { last, epochFirstSeconds } = state.tip;
  const height = last.height + 1;
  const bits =
    height % epochBlocks === 0 ? nextBits(last.bits, epochFirstSeconds, last.seconds) : last.bits;
  const draws = new RandomDraws(seed);
  draws.seek("second", height);
  const uniform = (draws.word() + 1) / hashesPerDifficulty;
  const mean = (Number(bitsToDifficulty(bits)) * hashesPerDifficulty) / state.hashrate;
  const waitSeconds = Math.max(1, Math.round(-logarithm(uniform) * mean));
  const hashrate = state.hashrate * exp(parameters.growth + parameters.deviation * draws.normal());
  const feeLog = state.feeLog * (1 - parameters.feePull) + parameters.feeDeviation * draws.normal();
  const fees = Math.floor(
    Math.min(
      parameters.feeLevel * exp(feeLog + parameters.feeOwn * draws.normal()),
      parameters.feesMax,
    ),
  );
  const block = { height, seconds: last.seconds + waitSeconds, bits, fees: BigInt(fees) };
  return { tip: addBlock(state.tip, block), hashrate, feeLog };
}

/**
 * Yields the state after each block found up to `atSeconds`; `seedOfDay` returns a day's seed by
 * its number since 1970.
 */
export function* runNetwork(
  state: NetworkState,
  atSeconds: number,
  seedOfDay: (day: number) => Uint8Array,
): Generator<NetworkState> {
  for (let next = state; ; ) {
    next = mineBlock(next, seedOfDay(Math.floor(next.tip.last.seconds / 86_400)));
    if (next.tip.last.seconds > atSeconds) return;
    yield next;
  }
}
