/**
 * `npm run trial -- backtest --data ../shared/data`: every pool that the recordings' listings
 * allow, under each friction preset, by day. With `--margins 0,2,5,10` each pool is run under each
 * margin, and its best is reported as the best of that many.
 * `npm run trial -- backtest --seeds 200 [--hours 6]`: every practice pool of the simulated market
 * over that many seeds; exit status 1 if the median of any pool's net result at realistic friction
 * is above zero. Both print a SHA-256 of their results: two runs give the same.
 */
import { createHash } from "node:crypto";
import {
  BacktestRun,
  type BacktestRunResult,
  pickBest,
  runBacktest,
  startAmount,
} from "#core/backtest/backtest.ts";
import { findCommonSpan, replayMoments } from "#core/backtest/replayMoments.ts";
import { assets } from "#core/hosting/assets.ts";
import { buildPools, formatPoolName, withMargins } from "#core/hosting/catalogue.ts";
import { type Friction, frictionNames } from "#core/hosting/friction.ts";
import { checkConfig } from "#core/hosting/strategy/strategies.ts";
import { formatDecimal } from "#core/money/decimal.ts";
import { parseOptions } from "../lib/options.ts";
import { loadSeries, toListing } from "./load.ts";
import { type Outcome, runSeed } from "./seeds.ts";
import { computeDigest, formatDayLines, formatTotalLines } from "./table.ts";

const { values } = parseOptions(
  {
    options: {
      data: { type: "string" },
      friction: { type: "string" },
      margins: { type: "string" },
      totals: { type: "boolean", default: false },
      seeds: { type: "string" },
      hours: { type: "string", default: "6" },
    },
  },
  "npm run trial -- backtest --data <folder> [--friction <name>] [--margins <list>] [--totals]\n  npm run trial -- backtest --seeds <count> [--hours 6]",
);
const frictions = values.friction ? readFriction(values.friction) : frictionNames;
if (values.seeds) runSeeds(Number(values.seeds), Number(values.hours));
else if (values.data) await runRecordings(values.data);
else {
  console.error("Pass --data <folder of recordings> or --seeds <count>.");
  process.exit(2);
}

function readFriction(name: string): Friction[] {
  const matchingNames = frictionNames.filter((frictionName) => frictionName === name);
  if (matchingNames.length > 0) return matchingNames;
  console.error(`Friction is one of ${frictionNames.join(", ")}.`);
  process.exit(2);
}

async function runRecordings(folder: string): Promise<void> {
  const series = await loadSeries(folder);
  const span = findCommonSpan(series);
  const margins = values.margins?.split(",").map(Number);
  const allPools = buildPools(toListing(series));
  const pools = margins ? allPools.flatMap((pool) => withMargins(pool, margins)) : allPools;
  const fault = pools.map(checkConfig).find((configError) => configError !== null);
  if (fault) throw new Error(`Invalid setting: ${fault}`);
  const results = frictions.flatMap((friction) => {
    const runs = pools.map((pool) => new BacktestRun(pool, friction));
    const progress = runBacktest(runs, replayMoments(series, span), span);
    while (!progress.next().done);
    return runs.map((run) => run.result());
  });
  console.log(
    `${series.length} series, ${pools.length} pools of ${startAmount} each in its home coin; amounts in home coin`,
  );
  console.log(
    "net = gross − fees − slippage; result = change of worth, including price changes of the stock",
  );
  if (!values.totals) for (const row of formatDayLines(results)) console.log(row);
  const marchStretches = (day: number) => Date.UTC(2023, 2, day);
  const stretches = [
    { name: "1 to 9 March 2023: before", fromMs: marchStretches(1), toMs: marchStretches(10) },
    {
      name: "10 to 13 March 2023: the break of USDC",
      fromMs: marchStretches(10),
      toMs: marchStretches(14),
    },
    { name: "14 March 2023: after", fromMs: marchStretches(14), toMs: marchStretches(15) },
    { name: "all days", fromMs: 0, toMs: Number.MAX_SAFE_INTEGER },
  ];
  const coveredStretches = stretches.filter(
    ({ fromMs, toMs }) => fromMs < span.toMs && toMs > span.fromMs,
  );
  for (const row of formatTotalLines(results, coveredStretches)) console.log(row);
  console.log("");
  for (const { config, friction, worth, drawdown, counters } of results) {
    const worthText = formatDecimal(worth, assets[config.home].scale, true);
    console.log(
      `${friction} ${formatPoolName(config)}: worth ${worthText} ${config.home}, max drawdown ${drawdown.worstBp} bp, ${counters.fills} fills, ${counters.transfers} transfers`,
    );
  }
  if (margins) printBest(results, margins.length);
  console.log(`settings tried: ${margins?.length ?? 1}\nSHA-256 ${computeDigest(results)}`);
}

/**
 * Prints the best setting of each pool and friction. Picked after the fact, so it states out of how
 * many.
 */
function printBest(results: readonly BacktestRunResult[], each: number): void {
  for (let index = 0; index < results.length; index += each) {
    const { best, tried } = pickBest(results.slice(index, index + each));
    const worthText = formatDecimal(best.worth, assets[best.config.home].scale, true);
    console.log(
      `${best.friction} ${formatPoolName(best.config)}: worth ${worthText}, the best of ${tried} settings, picked after the fact`,
    );
  }
}

function runSeeds(count: number, hours: number): void {
  const byPool = new Map<string, Outcome[]>();
  const hash = createHash("sha256");
  for (let number = 1; number <= count; number += 1) {
    for (const outcome of runSeed(number, hours * 3_600, frictions)) {
      hash.update(`${JSON.stringify(outcome)}\n`);
      const key = `${outcome.friction} ${outcome.name}`;
      byPool.set(key, [...(byPool.get(key) ?? []), outcome]);
    }
  }
  console.log(
    `${count} seeds of ${hours} hours each after one hour of warm-up; in basis points of the start`,
  );
  const head = ["min", "p10", "median", "p90", "max", "trades"];
  console.log(["".padEnd(76), ...head.map((name) => name.padStart(10))].join(""));
  let flatters = false;
  for (const [key, outcomes] of [...byPool].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const trades = outcomes.reduce((sum, outcome) => sum + outcome.trades, 0);
    for (const measure of ["net", "result"] as const) {
      const sorted = outcomes.map((outcome) => outcome[measure]).sort((a, b) => a - b);
      const atShare = (share: number) => sorted[Math.round((sorted.length - 1) * share)]! / 100;
      const figures = [atShare(0), atShare(0.1), atShare(0.5), atShare(0.9), atShare(1)].map(
        (value) => value.toFixed(2),
      );
      if (measure === "net" && key.startsWith("realistic") && atShare(0.5) > 0) flatters = true;
      const row = [...figures, String(trades)].map((text) => text.padStart(10)).join("");
      console.log(`${key} ${measure}`.padEnd(76) + row);
    }
  }
  console.log(`SHA-256 ${hash.digest("hex")}`);
  if (flatters) {
    console.error("At realistic friction a pool's median net result is above zero.");
    process.exitCode = 1;
  }
}
