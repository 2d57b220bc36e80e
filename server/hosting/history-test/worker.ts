import { parentPort, workerData } from "node:worker_threads";
import { runHistoryTest } from "#core/backtest/historyTest.ts";
import { findCommonSpan, replayMoments, type Series } from "#core/backtest/replayMoments.ts";
import { replayHistoryMoments } from "#core/backtest/simulatedMoments.ts";
import type { Moment, PoolConfig } from "#core/hosting/types.ts";
import { BarSeries } from "#core/market/replay/series.ts";
import { historyTestMs } from "#core/market/simulate/historySeconds.ts";
import { createModel } from "#core/market/simulate/model.ts";
import type { HistoryJob, PoolHistoryTest } from "#server/hosting/history-test/types.ts";
import type { HistoryInputs } from "#server/market/source.ts";

/**
 * Tests pools on the market before their world, in a thread: each takes seconds of computation
 * while the process keeps closing seconds.
 */

interface HistorySpan {
  moments: Iterable<Moment>;
  span: { fromMs: number; toMs: number };
}

/** The span of all venues, not only the pool's: the index is computed from all of them. */
function getHistorySpan(
  inputs: HistoryInputs,
  { symbols: poolSymbols }: PoolConfig,
): HistorySpan | null {
  if (inputs.kind === "simulated") {
    const { seed, firstMs } = inputs;
    const model = createModel(inputs.symbols, inputs.simulator);
    return {
      moments: replayHistoryMoments(model, seed, firstMs),
      span: { fromMs: firstMs - historyTestMs, toMs: firstMs - 1_000 },
    };
  }
  const series = inputs.series
    .filter(({ symbol }) => poolSymbols.includes(symbol))
    .map((item): Series => ({ ...item, bars: new BarSeries([...item.bars]) }));
  if (series.length === 0) return null;
  const span = findCommonSpan(series);
  return { moments: replayMoments(series, span), span };
}

function run({ inputs, pools }: HistoryJob): void {
  for (const { id: poolId, config, start } of pools) {
    const stretch = getHistorySpan(inputs, config);
    const test = stretch && runHistoryTest(config, start, stretch.moments, stretch.span);
    parentPort!.postMessage({ poolId, test } satisfies PoolHistoryTest);
  }
}

run(workerData as HistoryJob);
