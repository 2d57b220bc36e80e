import { existsSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { BacktestRun, type BacktestRunResult, runBacktest } from "#core/backtest/backtest.ts";
import { chooseEvenCuts, findLookAhead } from "#core/backtest/lookAhead.ts";
import { findCommonSpan, replayMoments, type Series } from "#core/backtest/replayMoments.ts";
import { buildPools, formatPoolName } from "#core/hosting/catalogue.ts";
import { strategies } from "#core/hosting/strategy/strategies.ts";
import type { PoolConfig } from "#core/hosting/types.ts";
import { loadSeries, toListing } from "./load.ts";
import { runSeed } from "./seeds.ts";
import { computeDigest } from "./table.ts";

/** Not part of the project; without it these tests are skipped, with the reason. */
const folder = join(import.meta.dirname, "../../../shared/data");

describe.skipIf(!existsSync(folder))(
  "on the recordings of March 2023 (skipped where they are absent)",
  () => {
    let series: Series[];
    let pools: PoolConfig[];
    let results: BacktestRunResult[];
    const runAll = () => {
      const runs = pools.map((pool) => new BacktestRun(pool, "realistic"));
      const progress = runBacktest(runs, replayMoments(series), findCommonSpan(series));
      while (!progress.next().done);
      return runs.map((run) => run.result());
    };
    beforeAll(async () => {
      series = await loadSeries(folder);
      pools = buildPools(toListing(series));
      results = runAll();
    }, 60_000);

    test("pools are a cross per shared symbol and a triangle per loop within a venue", () => {
      expect(pools.map(formatPoolName)).toEqual([
        "cross BTC/USDT @ binance coinbase kraken",
        "cross BTC/USDC @ binance kraken",
        "cross BTC/USD @ coinbase kraken",
        "cross USDT/USD @ coinbase kraken",
        "triangle BTC/USDT BTC/USDC USDC/USDT @ binance",
        "triangle BTC/USDT BTC/USD USDT/USD @ coinbase",
        "triangle BTC/USDT BTC/USD USDT/USD @ kraken",
        "triangle BTC/USDC BTC/USD USDC/USD @ kraken",
        "hold BTC/USDT @ binance",
        "hold BTC/USDC @ binance",
        "hold BTC/USD @ coinbase",
      ]);
    });

    test("two runs give identical results", { timeout: 60_000 }, () => {
      expect(computeDigest(runAll())).toBe(computeDigest(results));
      expect(results.reduce((sum, { counters }) => sum + counters.trades, 0)).toBeGreaterThan(500);
    });

    test("every pool loses before USDC lost its peg", () => {
      for (const { days } of results) {
        const before = days.filter(({ dayMs }) => dayMs < Date.UTC(2023, 2, 10));
        expect(before).toHaveLength(9);
        expect(before.reduce((sum, { net }) => sum + net, 0n) < 0n).toBe(true);
      }
    });

    test("no shipped strategy looks ahead", { timeout: 60_000 }, () => {
      const cuts = chooseEvenCuts(series, 2);
      for (const pool of pools.filter(({ strategy }) => strategy !== "hold").slice(1, 5)) {
        const { decide } = strategies[pool.strategy];
        expect(findLookAhead(pool, "realistic", () => decide, series, cuts)).toBeNull();
      }
    });
  },
);

test("on the simulated market every pool loses within an hour at realistic friction", () => {
  for (const seed of [1, 2, 3]) {
    const outcomes = runSeed(seed, 3_600, ["realistic"]);
    expect(outcomes).toHaveLength(10);
    for (const { name, net } of outcomes) expect([name, net < 0]).toEqual([name, true]);
    expect(runSeed(seed, 3_600, ["realistic"])).toEqual(outcomes);
  }
});
