import { BacktestRun } from "#core/backtest/backtest.ts";
import { findCommonSpan, replayMoments, type Series } from "#core/backtest/replayMoments.ts";
import type { Friction } from "#core/hosting/friction.ts";
import { encodePoolState } from "#core/hosting/state.ts";
import type { Decide, PoolConfig } from "#core/hosting/types.ts";
import type { Bar } from "#core/market/replay/bars.ts";
import { BarSeries } from "#core/market/replay/series.ts";

/**
 * Builds the strategy for a data set. An honest one ignores the data: the engine shows it one
 * moment at a time.
 */
export type StrategyMaker = (series: readonly Series[]) => Decide;

/** A moment at which a strategy's behaviour depended on the future. */
export interface LookAhead {
  /** The data were identical up to here … */
  cutMs: number;
  /** … yet the strategy acted differently here. */
  atMs: number;
  future: FutureName;
}

/** How the data after a cut are altered. */
const futures = {
  /** The data end at the cut. */
  ends: () => null,
  /** Prices are 5 % higher, so every gap against an earlier price opens. */
  higher: (bar) => scaleBar(bar, 21n),
  /** Prices are 5 % lower. */
  lower: (bar) => scaleBar(bar, 19n),
} as const satisfies Record<string, (bar: Bar) => Bar | null>;
type FutureName = keyof typeof futures;

/**
 * The look-ahead check: runs the strategy up to each cut on the true data and on data that differ
 * only after the cut, then compares its decisions moment by moment and its final state. Any
 * difference means it used the future. Returns null when it passes at every cut.
 */
export function findLookAhead(
  config: PoolConfig,
  friction: Friction,
  make: StrategyMaker,
  all: readonly Series[],
  cutsMs: readonly number[],
): LookAhead | null {
  const { fromMs } = findCommonSpan(all);
  for (const cutMs of cutsMs) {
    const span = { fromMs, toMs: cutMs };
    const originalTrace = traceDecisions(config, friction, make(all), all, span);
    for (const future of Object.keys(futures) as FutureName[]) {
      const alteredSeries = all.map((series) => alterAfterCut(series, cutMs, futures[future]));
      const alteredTrace = traceDecisions(
        config,
        friction,
        make(alteredSeries),
        alteredSeries,
        span,
      );
      const index = originalTrace.findIndex((line, i) => line.text !== alteredTrace[i]?.text);
      if (index >= 0) return { cutMs, atMs: originalTrace[index]!.atMs, future };
    }
  }
  return null;
}

/** Returns `count` cuts spaced evenly over the data, for `findLookAhead`. */
export function chooseEvenCuts(series: readonly Series[], count: number): number[] {
  const { fromMs, toMs } = findCommonSpan(series);
  return Array.from({ length: count }, (_, i) => {
    const atMs = fromMs + ((toMs - fromMs) * (i + 1)) / (count + 1);
    return Math.floor(atMs / 60_000) * 60_000;
  });
}

/** A run's decisions, one line per moment in which it acted, and its final state. */
function traceDecisions(
  config: PoolConfig,
  friction: Friction,
  decide: Decide,
  all: readonly Series[],
  span: { fromMs: number; toMs: number },
): { atMs: number; text: string }[] {
  const lines: { atMs: number; text: string }[] = [];
  const run = new BacktestRun(config, friction, {
    decide,
    onStep: ({ decision }, atMs) => {
      if (decision) lines.push({ atMs, text: `${atMs} ${orderText(decision.orders)}` });
    },
  });
  for (const moment of replayMoments(all, span)) run.take(moment);
  lines.push({ atMs: span.toMs, text: encodePoolState(run.result().state) });
  return lines;
}

function orderText(orders: readonly object[]): string {
  return JSON.stringify(orders, (_key, value: unknown) =>
    typeof value === "bigint" ? value.toString() : value,
  );
}

function alterAfterCut(series: Series, cutMs: number, turn: (bar: Bar) => Bar | null): Series {
  const bars: Bar[] = [];
  for (let index = 0; index < series.bars.length; index += 1) {
    const bar = series.bars.bar(index);
    const alteredBar = series.bars.closeMs(index) <= cutMs ? bar : turn(bar);
    if (alteredBar) bars.push(alteredBar);
  }
  return { ...series, bars: new BarSeries(bars) };
}

function scaleBar(bar: Bar, twentieths: bigint): Bar {
  const scale = (price: bigint) => (price * twentieths) / 20n || 1n;
  return {
    ...bar,
    open: scale(bar.open),
    high: scale(bar.high),
    low: scale(bar.low),
    close: scale(bar.close),
  };
}
