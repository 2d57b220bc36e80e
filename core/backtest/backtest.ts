import { type Drawdown, noDrawdown, updateDrawdown } from "#core/backtest/stats.ts";
import { assets } from "#core/hosting/assets.ts";
import { stepEngine } from "#core/hosting/engine.ts";
import type { Friction } from "#core/hosting/friction.ts";
import { createState } from "#core/hosting/state.ts";
import { strategies } from "#core/hosting/strategy/strategies.ts";
import type {
  Counters,
  Decide,
  Moment,
  Pnl,
  PoolConfig,
  PoolState,
  StepResult,
} from "#core/hosting/types.ts";
import { computeAssetsWorth } from "#core/hosting/value.ts";
import { dayMs, minuteMs } from "#core/money/time.ts";

/**
 * Starting amount of a run in whole units of home. All of it is money, so the pool pays for the
 * inventory that it needs.
 */
export const startAmount = 10_000n;

/** One day (UTC) of a run, in minor units of home. */
export interface BacktestDay extends Pnl {
  dayMs: number;
  trades: number;
  fills: number;
  /** gross − slippage − fees: what trading made, excluding price changes of the inventory. */
  net: bigint;
  /**
   * Worth at the day's last mark less worth at the previous day's: the pool's result. result − net
   * is the effect of prices.
   */
  result: bigint;
  worth: bigint;
}

export interface BacktestRunResult {
  config: PoolConfig;
  friction: Friction;
  days: BacktestDay[];
  counters: Counters;
  start: bigint;
  /** The worth at the last mark, and the worst drawdown between marks in basis points. */
  worth: bigint;
  drawdown: Drawdown;
  marks: number;
  state: PoolState;
}

/**
 * Runs a pool over history. The same `step` as in a live world decides and fills; this adds marks
 * (every whole minute with an index) and daily totals.
 */
export class BacktestRun {
  readonly config: PoolConfig;
  readonly friction: Friction;
  readonly #decide: Decide;
  readonly #onStep: ((result: StepResult, atMs: number) => void) | undefined;
  #state: PoolState;
  #worth: bigint;
  readonly #start: bigint;
  #drawdown = noDrawdown;
  #marks = 0;
  readonly #days: BacktestDay[] = [];
  #dayMs = Number.NaN;
  #before: { counters: Counters; worth: bigint };

  constructor(
    config: PoolConfig,
    friction: Friction,
    options: {
      decide?: Decide;
      start?: bigint;
      onStep?: (result: StepResult, atMs: number) => void;
    } = {},
  ) {
    this.config = config;
    this.friction = friction;
    this.#decide = options.decide ?? strategies[config.strategy].decide;
    this.#onStep = options.onStep;
    this.#start = (options.start ?? startAmount) * 10n ** BigInt(assets[config.home].scale);
    this.#state = createState(this.#start);
    this.#worth = this.#start;
    this.#before = { counters: this.#state.counters, worth: this.#start };
  }

  take(moment: Moment): void {
    // The close of a day's last minute belongs to that day.
    const startMs = Math.floor((moment.atMs - 1) / dayMs) * dayMs;
    if (startMs !== this.#dayMs) {
      this.#closeDay();
      this.#dayMs = startMs;
    }
    const result = stepEngine(this.config, this.friction, this.#state, moment, this.#decide);
    this.#state = result.state;
    this.#onStep?.(result, moment.atMs);
    if (moment.atMs % minuteMs !== 0) return;
    const worth = computeAssetsWorth(this.config, this.#state, moment);
    if (worth === null) return;
    this.#worth = worth;
    this.#marks += 1;
    this.#drawdown = updateDrawdown(this.#drawdown, worth);
  }

  /** The run so far, including the current, unfinished day. */
  result(): BacktestRunResult {
    return {
      config: this.config,
      friction: this.friction,
      days: Number.isNaN(this.#dayMs) ? [] : [...this.#days, this.#day()],
      counters: this.#state.counters,
      start: this.#start,
      worth: this.#worth,
      drawdown: this.#drawdown,
      marks: this.#marks,
      state: this.#state,
    };
  }

  #closeDay(): void {
    if (Number.isNaN(this.#dayMs)) return;
    this.#days.push(this.#day());
    this.#before = { counters: this.#state.counters, worth: this.#worth };
  }

  #day(): BacktestDay {
    const { counters, worth } = this.#before;
    const current = this.#state.counters;
    const gross = current.gross - counters.gross;
    const slippage = current.slippage - counters.slippage;
    const fees = current.fees - counters.fees;
    return {
      dayMs: this.#dayMs,
      trades: current.trades - counters.trades,
      fills: current.fills - counters.fills,
      gross,
      slippage,
      fees,
      net: gross - slippage - fees,
      result: this.#worth - worth,
      worth: this.#worth,
    };
  }
}

/** Backtest progress as days done of the total, for a progress bar. */
export interface BacktestProgress {
  doneMs: number;
  totalMs: number;
}

/**
 * Feeds the moments to all runs in parallel and yields progress after each day, so that the caller
 * can report, yield the processor, or cancel by not asking for more.
 */
export function* runBacktest(
  runs: readonly BacktestRun[],
  moments: Iterable<Moment>,
  span: { fromMs: number; toMs: number },
): Generator<BacktestProgress> {
  const totalMs = span.toMs - span.fromMs;
  let nextMs = span.fromMs + dayMs;
  for (const moment of moments) {
    for (const run of runs) run.take(moment);
    if (moment.atMs >= nextMs) {
      yield { doneMs: moment.atMs - span.fromMs, totalMs };
      nextMs += dayMs;
    }
  }
  yield { doneMs: totalMs, totalMs };
}

/**
 * Picks the setting with the highest final worth and states how many were tried: a best of N that
 * hides its N misleads.
 */
export function pickBest(results: readonly BacktestRunResult[]): {
  best: BacktestRunResult;
  tried: number;
} {
  const [first, ...rest] = results;
  if (!first) throw new RangeError("bestOf needs at least one result");
  const best = rest.reduce((a, b) => (b.worth > a.worth ? b : a), first);
  return { best, tried: results.length };
}
