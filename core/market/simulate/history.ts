import {
  getIntervalStart,
  type Interval,
  intervalNames,
  intervals,
} from "#core/market/intervals.ts";
import type { Kline } from "#core/market/kline.ts";
import { RandomDraws } from "#core/market/simulate/draws.ts";
import { coarseSeconds, type Model } from "#core/market/simulate/model.ts";
import { stepFactors } from "#core/market/simulate/parameters.ts";
import { createAnchorState, type SimulatorState } from "#core/market/simulate/state.ts";
import { createStepResult, stepCoarse } from "#core/market/simulate/step.ts";

/** Klines kept per interval; the longest interval reaches back to the start of the history. */
const keptIntervals: Readonly<Record<Interval, number>> = {
  "1m": 600,
  "5m": 600,
  "15m": 600,
  "30m": 600,
  "1h": 600,
  "4h": 600,
  "1d": 734,
  "1w": 106,
};
const weeks = 105;
/**
 * From these distances before the first second, steps get shorter, so that the klines of each
 * interval have a body.
 */
const stretches = [
  { fromMs: 26 * intervals["1d"], seconds: coarseSeconds },
  { fromMs: 52 * intervals["1h"], seconds: 10 },
];
const longestSeconds = 1_800;

interface OpenBar {
  openMs: number;
  open: number;
  high: number;
  low: number;
  close: number;
  volume: number;
}

export interface SimulatedHistory {
  /**
   * By symbol (model order) and interval, oldest first; the last one may still be open at the first
   * second.
   */
  klines: Record<Interval, Kline[]>[];
  /** The state just before the first second. */
  state: SimulatorState;
}

/** Called after each step with its state, which it must not change or retain. */
export type OnHistoryStep = (atMs: number, state: SimulatorState) => void;

/**
 * Simulates the two years before a world's first second, in coarse steps from the anchors, so that
 * no chart opens empty. No trade was possible in them, and klines that open before the first second
 * carry a flag that says so: an empty chart teaches nothing, and invented history that looks real
 * would be a lie. A function of the first day's seed and `firstMs` (whole seconds); the price is
 * the common one, rounded to the nearest. None of it is in the log; it can be recomputed once the
 * first seed is revealed.
 */
export function simulateHistory(
  model: Model,
  seed: Uint8Array,
  firstMs: number,
  onStep: OnHistoryStep = () => {},
): SimulatedHistory {
  const state = createAnchorState(model);
  const draws = new RandomDraws(seed);
  const result = createStepResult(model);
  const books = model.symbols.map(() => new KlineBuilder(firstMs));
  const run = (fromMs: number, toMs: number, seconds: number) => {
    const factors = stepFactors(seconds, model.assets);
    for (let atMs = fromMs; atMs < toMs; atMs += seconds * 1_000) {
      stepCoarse(model, state, draws, atMs / 1_000, factors, result);
      onStep(atMs, state);
      for (const [s, { unit }] of model.symbols.entries()) {
        const price = Math.max(1, Math.floor((result.fair[s] as number) * unit + 0.5));
        books[s]?.add(atMs, price, result.volume[s] as number);
      }
    }
  };
  let atMs = getIntervalStart("1w", firstMs) - weeks * intervals["1w"];
  let seconds = longestSeconds;
  for (const stretch of stretches) {
    const turnMs = getIntervalStart("30m", firstMs - stretch.fromMs);
    run(atMs, turnMs, seconds);
    atMs = turnMs;
    seconds = stretch.seconds;
  }
  run(atMs, firstMs, seconds);
  return { klines: books.map((roll) => roll.close()), state };
}

/**
 * Folds one symbol's prices into klines of all intervals at once: each closed kline feeds the next
 * longer one.
 */
class KlineBuilder {
  readonly #open: (OpenBar | null)[] = intervalNames.map(() => null);
  readonly #done: OpenBar[][] = intervalNames.map(() => []);
  readonly #fromMs: number[];

  constructor(firstMs: number) {
    this.#fromMs = intervalNames.map(
      (name) => getIntervalStart(name, firstMs) - (keptIntervals[name] - 1) * intervals[name],
    );
  }

  add(atMs: number, price: number, volume: number): void {
    this.#join(0, { openMs: atMs, open: price, high: price, low: price, close: price, volume });
  }

  close(): Record<Interval, Kline[]> {
    for (let i = 0; i < intervalNames.length; i += 1) this.#finish(i);
    return Object.fromEntries(
      intervalNames.map((name, i) => [name, (this.#done[i] as OpenBar[]).map(toKline)]),
    ) as Record<Interval, Kline[]>;
  }

  #join(i: number, part: OpenBar): void {
    const openMs = getIntervalStart(intervalNames[i] as Interval, part.openMs);
    let bar = this.#open[i] as OpenBar | null;
    if (bar && bar.openMs !== openMs) {
      this.#finish(i);
      bar = null;
    }
    if (!bar) {
      this.#open[i] = { ...part, openMs };
      return;
    }
    if (part.high > bar.high) bar.high = part.high;
    if (part.low < bar.low) bar.low = part.low;
    bar.close = part.close;
    bar.volume += part.volume;
  }

  #finish(i: number): void {
    const bar = this.#open[i] as OpenBar | null;
    if (!bar) return;
    this.#open[i] = null;
    if (bar.openMs >= (this.#fromMs[i] as number)) this.#done[i]?.push(bar);
    if (i + 1 < intervalNames.length) this.#join(i + 1, bar);
  }
}

function toKline(bar: OpenBar): Kline {
  const { openMs, open, high, low, close, volume } = bar;
  return {
    openMs,
    open: BigInt(open),
    high: BigInt(high),
    low: BigInt(low),
    close: BigInt(close),
    volume: BigInt(volume),
  };
}
