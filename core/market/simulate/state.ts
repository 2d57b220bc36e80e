import { exp } from "#core/market/simulate/exact.ts";

/**
 * Everything the next second depends on besides the day's seed. Venue × symbol and venue × asset
 * arrays are indexed `venue * count + item`. Every number is a float produced by basic arithmetic,
 * so its 8 bytes are the same on every machine.
 */
export interface SimulatorState {
  /** Natural logarithm of each asset's price in US dollars. */
  level: Float64Array;
  /** Logarithm of the volatility factors: the market's, then each coin's. */
  volatility: Float64Array;
  /** Venue × asset: how far a venue's price lags the common one. */
  lag: Float64Array;
  /** Venue × symbol: slow basis and fast noise of a venue's price. */
  basis: Float64Array;
  noise: Float64Array;
  /** Venue × symbol: the decaying remainder of a price's departures from the others'. */
  dislocation: Float64Array;
  /** Venue × symbol: the last best prices, which remain while a venue is silent. */
  bid: Float64Array;
  ask: Float64Array;
  /** By venue: remaining seconds of silence, and seconds since its last quote. */
  silent: Float64Array;
  age: Float64Array;
}

/** The arrays of a state in byte order, with their lengths. */
export type StateLayout = readonly (readonly [keyof SimulatorState, number])[];

/** The layout of a market's states. */
export interface StateShape {
  /** Logarithm of each asset's anchor. */
  readonly anchors: readonly number[];
  readonly layout: StateLayout;
  /** Length of an encoded state. */
  readonly stateBytes: number;
}

/**
 * The start of every world's history: all assets at their anchors, volatility at its level, venues
 * in agreement.
 */
export function createAnchorState({ layout, anchors }: StateShape): SimulatorState {
  const state = {} as SimulatorState;
  for (const [name, length] of layout) state[name] = new Float64Array(length);
  state.level.set(anchors);
  return state;
}

export function copyState({ layout }: StateShape, state: SimulatorState): SimulatorState {
  const copy = {} as SimulatorState;
  for (const [name] of layout) copy[name] = state[name].slice();
  return copy;
}

/**
 * Encodes a state: the arrays in interface order, each float as IEEE 754 binary64, little-endian.
 */
export function encodeState({ layout, stateBytes }: StateShape, state: SimulatorState): Uint8Array {
  const bytes = new Uint8Array(stateBytes);
  const view = new DataView(bytes.buffer);
  let offset = 0;
  for (const [name, length] of layout) {
    for (let i = 0; i < length; i += 1, offset += 8)
      view.setFloat64(offset, state[name][i] as number, true);
  }
  return bytes;
}

/**
 * Decodes the bytes of `encodeState`; throws a RangeError on a wrong length or a non-finite number.
 */
export function decodeState({ layout, stateBytes }: StateShape, bytes: Uint8Array): SimulatorState {
  if (bytes.length !== stateBytes) throw new RangeError(`a state must be ${stateBytes} bytes`);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const state = {} as SimulatorState;
  let offset = 0;
  for (const [name, length] of layout) {
    const array = new Float64Array(length);
    for (let i = 0; i < length; i += 1, offset += 8) {
      const value = view.getFloat64(offset, true);
      if (!Number.isFinite(value)) throw new RangeError("a state must hold finite numbers");
      array[i] = value;
    }
    state[name] = array;
  }
  return state;
}

/**
 * Natural logarithm by Newton's iteration on `exp`, so that it is equally exact everywhere. For
 * constants, not for loops.
 */
export function logarithm(value: number): number {
  let x = 0;
  for (let i = 0; i < 60; i += 1) x += (2 * (value - exp(x))) / (value + exp(x));
  return x;
}
