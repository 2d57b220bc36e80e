import { BacktestRun } from "#core/backtest/backtest.ts";
import { replayMoments, type Series, spanOf } from "#core/backtest/replayMoments.ts";
import type { Friction } from "#core/hosting/friction.ts";
import { encodePoolState } from "#core/hosting/state.ts";
import type { Decide, PoolConfig } from "#core/hosting/types.ts";
import type { Bar } from "#core/market/replay/bars.ts";
import { BarSeries } from "#core/market/replay/series.ts";

/**
 * Makes the strategy for a data set. An honest one has no use for the data: the engine shows it one
 * moment at a time.
 */
export type StrategyMaker = (series: readonly Series[]) => Decide;

/** Where a strategy acted otherwise because of what had not happened yet. */
export interface LookAhead {
  /** The data were the same up to here … */
  cutMs: number;
  /** … and yet what it did here differed. */
  atMs: number;
  future: FutureName;
}

/** What the time after a cut is turned into. */
const futures = {
  /** Nothing comes after the cut. */
  ends: () => null,
  /** Prices are a twentieth higher: every gap with a price of before opens. */
  higher: (bar) => scaled(bar, 21n),
  /** Prices are a twentieth lower. */
  lower: (bar) => scaled(bar, 19n),
} as const satisfies Record<string, (bar: Bar) => Bar | null>;
type FutureName = keyof typeof futures;

/**
 * The look-ahead check: runs the strategy up to each cut with the true data and with data that
 * differ only after the cut, and compares what it decided moment by moment and the state it ended
 * in. Whatever differs was known too early. Null: it passed at these cuts.
 */
export function findLookAhead(
  config: PoolConfig,
  friction: Friction,
  make: StrategyMaker,
  all: readonly Series[],
  cutsMs: readonly number[],
): LookAhead | null {
  const { fromMs } = spanOf(all);
  for (const cutMs of cutsMs) {
    const span = { fromMs, toMs: cutMs };
    const honest = trace(config, friction, make(all), all, span);
    for (const future of Object.keys(futures) as FutureName[]) {
      const other = all.map((series) => alter(series, cutMs, futures[future]));
      const seen = trace(config, friction, make(other), other, span);
      const at = honest.findIndex((line, i) => line.text !== seen[i]?.text);
      if (at >= 0) return { cutMs, atMs: honest[at]!.atMs, future };
    }
  }
  return null;
}

/** `count` cuts spread evenly over the data, for `findLookAhead`. */
export function evenCuts(all: readonly Series[], count: number): number[] {
  const { fromMs, toMs } = spanOf(all);
  return Array.from({ length: count }, (_, i) => {
    const atMs = fromMs + ((toMs - fromMs) * (i + 1)) / (count + 1);
    return Math.floor(atMs / 60_000) * 60_000;
  });
}

/**
 * What a run decided: a line for each moment in which it did something, and its state in the end.
 */
function trace(
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

function alter(series: Series, cutMs: number, turn: (bar: Bar) => Bar | null): Series {
  const bars: Bar[] = [];
  for (let at = 0; at < series.bars.length; at += 1) {
    const bar = series.bars.bar(at);
    const turned = series.bars.closeMs(at) <= cutMs ? bar : turn(bar);
    if (turned) bars.push(turned);
  }
  return { ...series, bars: new BarSeries(bars) };
}

function scaled(bar: Bar, twentieths: bigint): Bar {
  const by = (price: bigint) => (price * twentieths) / 20n || 1n;
  return {
    ...bar,
    open: by(bar.open),
    high: by(bar.high),
    low: by(bar.low),
    close: by(bar.close),
  };
}
