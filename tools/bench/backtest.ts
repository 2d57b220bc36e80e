/**
 * Two weeks of recordings through every pool that their listings allow, at realistic friction,
 * against reading and parsing the same files in the same run:
 * `node tools/bench/backtest.ts [folder] [rounds]`. Prints decisions per second: moments × pools,
 * since each pool is evaluated at each moment.
 */

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { BacktestRun, runBacktest } from "#core/backtest/backtest.ts";
import { findCommonSpan, replayMoments, type Series } from "#core/backtest/replayMoments.ts";
import { buildPools } from "#core/hosting/catalogue.ts";
import { parseBars } from "#core/market/replay/bars.ts";
import { BarSeries } from "#core/market/replay/series.ts";
import { isSymbol, symbols } from "#core/market/symbols.ts";
import { ToolError } from "../lib/toolError.ts";
import { printConditions, printRatio } from "./lib/conditions.ts";

const folder = process.argv[2] ?? join(import.meta.dirname, "../../../shared/data");
const rounds = Number(process.argv[3] ?? 5);
const aim = 5;

if (!existsSync(folder)) {
  throw new ToolError(
    `No recordings in ${folder}: pass a folder of them, npm run bench -- backtest <folder>; docs/rules/market.md describes its files.`,
  );
}
printConditions(`recordings of ${folder}, realistic friction, ${rounds} rounds, the median counts`);
const ratios: number[] = [];
for (let round = 1; round <= rounds; round += 1) {
  const startMs = performance.now();
  const series = load();
  const readMs = performance.now() - startMs;
  const { engineMs, moments, pools, trades } = runAll(series);
  ratios.push(engineMs / readMs);
  const rate = Math.round((moments * pools * 1_000) / engineMs);
  console.log(
    `round ${round}: ${series.length} files read in ${readMs.toFixed(0)} ms; ${moments} moments × ${pools} pools with ${trades} trades in ${engineMs.toFixed(0)} ms, ${rate} decisions/s`,
  );
}
printRatio(ratios.toSorted((a, b) => a - b)[Math.floor(rounds / 2)]!, aim, "most");

function load(): Series[] {
  const series: Series[] = [];
  for (const name of readdirSync(folder).filter((text) => text.endsWith(".1m.csv"))) {
    const [venue, pair] = name.split(".") as [string, string];
    const symbol = pair.replace("-", "/");
    if (!isSymbol(symbol)) throw new Error(`${name} is not of a known symbol`);
    const result = parseBars(readFileSync(join(folder, name), "utf8"), symbols[symbol].scale);
    if (!result.ok) throw new Error(`${name}, line ${result.line}: ${result.error}`);
    series.push({ venue, symbol, bars: new BarSeries(result.bars) });
  }
  return series;
}

function runAll(series: readonly Series[]) {
  const startMs = performance.now();
  const listing = (symbol: string) =>
    series.filter((bars) => bars.symbol === symbol).map(({ venue }) => venue);
  const runs = buildPools(listing).map((pool) => new BacktestRun(pool, "realistic"));
  const span = findCommonSpan(series);
  let moments = 0;
  const countMoments = function* () {
    for (const moment of replayMoments(series, span)) {
      moments += 1;
      yield moment;
    }
  };
  const progress = runBacktest(runs, countMoments(), span);
  while (!progress.next().done);
  const trades = runs.reduce((sum, run) => sum + run.result().counters.trades, 0);
  return { engineMs: performance.now() - startMs, moments, pools: runs.length, trades };
}
