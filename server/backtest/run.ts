import type { BacktestTrade } from "#api/backtest.ts";
import { BacktestRun, type BacktestRunResult, runBacktest } from "#core/backtest/backtest.ts";
import { backtestLimits } from "#core/backtest/limits.ts";
import { chooseEvenCuts, findLookAhead } from "#core/backtest/lookAhead.ts";
import { findCommonSpan, replayMoments, type Series } from "#core/backtest/replayMoments.ts";
import { computeChangeBp } from "#core/backtest/stats.ts";
import { type Asset, assets, getSymbolAssets } from "#core/hosting/assets.ts";
import { frictionNames } from "#core/hosting/friction.ts";
import { strategies } from "#core/hosting/strategy/strategies.ts";
import type { Decision, Fill, Moment, PoolConfig, StepResult } from "#core/hosting/types.ts";
import { BarSeries } from "#core/market/replay/series.ts";
import type { MarketSymbol } from "#core/market/symbols.ts";
import { formatDecimal } from "#core/money/decimal.ts";
import type { BacktestResult, JobProgress, StoredTrades } from "#server/backtest/types.ts";

/** Points of the chart line, and cuts of the look-ahead check. */
const linePoints = 200;
const lookAheadCuts = 2;

/** The unit a pool's money is shown in: the practice coin, or USD, which has none. */
export const getUnit = (config: PoolConfig): string => assets[config.home].coin ?? config.home;

/** Keeps only bars that open and close inside the period; drops series left without any. */
export function cutSeries(seriesList: readonly Series[], fromMs: number, toMs: number): Series[] {
  return seriesList.flatMap((series) => {
    const bars = [];
    for (let index = 0; index < series.bars.length; index += 1) {
      const bar = series.bars.bar(index);
      if (bar.openMs >= fromMs && series.bars.closeMs(index) <= toMs) bars.push(bar);
    }
    return bars.length > 0 ? [{ ...series, bars: new BarSeries(bars) }] : [];
  });
}

/** Returns true if every venue of the pool has bars of every symbol. */
export function coversPool(series: readonly Series[], { venues, symbols }: PoolConfig): boolean {
  return venues.every((venue) =>
    symbols.every((symbol) =>
      series.some((series) => series.venue === venue && series.symbol === symbol),
    ),
  );
}

/**
 * The benchmark: buy and hold of the pool's asset, priced in its home asset, at its first venue.
 */
function createBenchmark({ venues, symbols, home }: PoolConfig): PoolConfig {
  const symbol = symbols.find((symbol) => getSymbolAssets(symbol).quote === home) as MarketSymbol;
  return { strategy: "hold", venues: venues.slice(0, 1), symbols: [symbol], home };
}

/**
 * Runs the pool under every friction, and the benchmark alongside, on the engine of running worlds;
 * then runs the look-ahead check. `series` are those of the pool's symbols, cut to the period.
 */
export function runBacktestJob(
  config: PoolConfig,
  series: readonly Series[],
  reportProgress: (progress: Omit<JobProgress, "kind">) => void,
): { result: BacktestResult; trades: StoredTrades; runs: readonly BacktestRunResult[] } {
  const span = findCommonSpan(series);
  const books = frictionNames.map(() => new TradeBook(config.home));
  const runs = frictionNames.map(
    (friction, index) =>
      new BacktestRun(config, friction, { onStep: (step) => books[index]!.take(step) }),
  );
  const benchmark = createBenchmark(config);
  const hold = new BacktestRun(benchmark, "realistic");
  const money = (value: bigint) => formatDecimal(value, assets[config.home].scale, true);
  const line: BacktestResult["line"] = [];
  const sample = (atMs: number) => {
    const [frictionless, realisticRun, harsh] = runs.map((run) => money(run.result().worth));
    line.push({
      at_ms: atMs,
      frictionless: frictionless!,
      realistic: realisticRun!,
      harsh: harsh!,
      hold: money(hold.result().worth),
    });
  };
  const moments = sampleMoments(replayMoments(series, span), span, sample);
  for (const { doneMs, totalMs } of runBacktest([...runs, hold], moments, span)) {
    const percent = totalMs === 0 ? 70 : 10 + Math.floor((doneMs * 60) / totalMs);
    reportProgress({ stage: "running", percent });
  }
  reportProgress({ stage: "checking", percent: 70 });
  const cuts = chooseEvenCuts(series, lookAheadCuts);
  const decide = strategies[config.strategy].decide;
  const peek = findLookAhead(config, "realistic", () => decide, series, cuts);
  const result = hold.result();
  const results = runs.map((run) => run.result());
  return {
    runs: results,
    trades: Object.fromEntries(
      frictionNames.map((friction, index) => [friction, books[index]!.trades()]),
    ) as StoredTrades,
    result: {
      unit: getUnit(config),
      start: money(result.start),
      from_ms: span.fromMs - 60_000,
      to_ms: span.toMs,
      outcomes: results.map((backtestRunResult, index) =>
        getOutcome(backtestRunResult, books[index]!, money),
      ),
      hold: {
        worth: money(result.worth),
        return_bp: Number(computeChangeBp(result.start, result.worth)),
        drawdown_bp: Number(result.drawdown.worstBp),
        symbol: benchmark.symbols[0]!,
      },
      line,
      look_ahead: {
        cuts: cuts.length,
        peek: peek && { cut_ms: peek.cutMs, at_ms: peek.atMs, future: peek.future },
      },
    },
  };
}

/**
 * Passes the moments on and calls `sample` once all runs have taken the first moment of each part
 * of the span, and the last moment.
 */
function* sampleMoments(
  moments: Iterable<Moment>,
  { fromMs, toMs }: { fromMs: number; toMs: number },
  sample: (atMs: number) => void,
): Generator<Moment> {
  const partMs = Math.max(60_000, (toMs - fromMs) / (linePoints - 2));
  let nextMs = fromMs;
  for (const moment of moments) {
    yield moment;
    const isLast = moment.atMs >= toMs;
    if (moment.atMs < nextMs && !isLast) continue;
    sample(moment.atMs);
    nextMs += partMs;
  }
}

function getOutcome(
  { friction, counters, days, start, worth, drawdown }: BacktestRunResult,
  book: TradeBook,
  money: (value: bigint) => string,
): BacktestResult["outcomes"][number] {
  const { gross, slippage, fees, trades, fills, short, transfers, decisions } = counters;
  return {
    friction,
    gross: money(gross),
    slippage: money(slippage),
    fees: money(fees),
    net: money(gross - slippage - fees),
    result: money(worth - start),
    worth: money(worth),
    trades,
    fills,
    drawdown_bp: Number(drawdown.worstBp),
    return_bp: Number(computeChangeBp(start, worth)),
    short,
    transfers,
    days: days.map((day) => ({
      day_ms: day.dayMs,
      gross: money(day.gross),
      slippage: money(day.slippage),
      fees: money(day.fees),
      net: money(day.net),
      result: money(day.result),
      worth: money(day.worth),
      trades: day.trades,
      fills: day.fills,
    })),
    decisions,
    decisions_kept: book.size,
  };
}

/** Stores the first decisions of a run with their fills. */
class TradeBook {
  readonly #home: Asset;
  readonly #stored = new Map<number, { decision: Decision; fills: Fill[] }>();
  constructor(home: Asset) {
    this.#home = home;
  }
  get size(): number {
    return this.#stored.size;
  }
  take({ decision, fills }: StepResult): void {
    if (decision && this.#stored.size < backtestLimits.trades_kept) {
      this.#stored.set(decision.number, { decision, fills: [] });
    }
    for (const fill of fills) this.#stored.get(fill.order.decision)?.fills.push(fill);
  }
  /** Newest first. */
  trades(): BacktestTrade[] {
    return [...this.#stored.values()].map((item) => this.#view(item)).reverse();
  }
  #view({ decision, fills }: { decision: Decision; fills: Fill[] }): BacktestTrade {
    const sum = (select: (fill: Fill) => bigint) =>
      fills.reduce((total, fill) => total + select(fill), 0n);
    const gross = sum(({ pnl }) => pnl.gross);
    const slippage = sum(({ pnl }) => pnl.slippage);
    const fees = sum(({ pnl }) => pnl.fees);
    const money = (value: bigint) => formatDecimal(value, assets[this.#home].scale, true);
    return {
      number: decision.number,
      at_ms: decision.atMs,
      purpose: decision.purpose,
      gross: money(gross),
      slippage: money(slippage),
      fees: money(fees),
      net: money(gross - slippage - fees),
      legs: decision.orders.map((order) => {
        const { base, quote } = getSymbolAssets(order.symbol);
        const fill = fills.find((fill) => fill.order.leg === order.leg);
        const inBase = (value: bigint) => formatDecimal(value, assets[base].scale, true);
        const inQuote = (value: bigint) => formatDecimal(value, assets[quote].scale, true);
        return {
          venue: order.venue,
          symbol: order.symbol,
          side: order.side,
          quantity: inBase(order.quantity),
          filled: inBase(fill?.quantity ?? 0n),
          quote: inQuote(fill?.quote ?? 0n),
          fee: inQuote(fill?.fee ?? 0n),
          at_ms: fill?.atMs ?? null,
          why: fill?.why ?? null,
        };
      }),
    };
  }
}
