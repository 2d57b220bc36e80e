/**
 * `npm run trial -- gaps --data ../shared/data [--seeds 20] [--hours 6]`: how far venues are apart
 * in recorded and in simulated markets, as the cross-venue strategy sees it at each minute's close:
 * quantiles of the gap, the share of minutes in which a trade would have paid its cost, and how long
 * such gaps last. `--warm-hours 72` measures a world of three days instead of one hour, and
 * `--symbol USDT/USD` that symbol alone.
 */
import { type Gaps, measureGaps } from "#core/backtest/gaps.ts";
import { findCommonSpan, replayMoments, type Series } from "#core/backtest/replayMoments.ts";
import { simulatedMoments } from "#core/backtest/simulatedMoments.ts";
import { getFeeBp } from "#core/hosting/friction.ts";
import { marginBp } from "#core/hosting/strategy/parameters.ts";
import type { Moment } from "#core/hosting/types.ts";
import { venues } from "#core/market/simulate/parameters.ts";
import type { MarketSymbol } from "#core/market/symbols.ts";
import { dayMs, minuteMs } from "#core/money/time.ts";
import { parseOptions, parseWholeNumber } from "../lib/options.ts";
import { computeQuantile } from "../lib/quantile.ts";
import { ToolError } from "../lib/toolError.ts";
import { loadSeries } from "./load.ts";
import { openSeed } from "./seeds.ts";

const usage =
  "npm run trial -- gaps --data <folder> [--seeds 20] [--hours 6] [--warm-hours 1] [--symbol <name>]";
const { values } = parseOptions(
  {
    options: {
      data: { type: "string" },
      seeds: { type: "string" },
      hours: { type: "string" },
      "warm-hours": { type: "string" },
      symbol: { type: "string" },
    },
  },
  usage,
);
if (!values.data) throw new ToolError(usage);
const seeds = parseWholeNumber("seeds", values.seeds, { from: 1, to: 1_000, fallback: 20 });
const hours = parseWholeNumber("hours", values.hours, { from: 1, to: 48, fallback: 6 });
const warmHours = parseWholeNumber("warm-hours", values["warm-hours"], {
  from: 1,
  to: 1_000,
  fallback: 1,
});
const costBp = 2 * Number(getFeeBp("realistic")) + Number(marginBp);

const series = await loadSeries(values.data);
const bySymbol = Map.groupBy(series, ({ symbol }) => symbol);
const sharedSymbols = [...bySymbol].filter(
  ([symbol, all]) => all.length > 1 && (values.symbol ?? symbol) === symbol,
);
console.log(
  "| market | symbol | moments | mids apart, bp: median | 90 % | 99 % | most | above cost, % | at a stretch: median | most |",
);
console.log("|---|---|---|---|---|---|---|---|---|---|");
for (const [symbol, all] of sharedSymbols) measureRecorded(symbol, all);
for (const [symbol] of sharedSymbols) measureSimulated(symbol);

function measureRecorded(symbol: MarketSymbol, all: readonly Series[]): void {
  const span = findCommonSpan(series);
  const cutMs = Math.floor(span.fromMs / dayMs) * dayMs + 9 * dayMs;
  for (const [name, fromMs, toMs] of [
    ["first nine days", span.fromMs, Math.min(cutMs, span.toMs)],
    ["the rest", cutMs + minuteMs, span.toMs],
  ] as const) {
    if (fromMs >= toMs) continue;
    const moments = replayMoments(all, { fromMs, toMs });
    const names = all.map(({ venue }) => venue);
    printGaps(`recorded, ${name}`, symbol, [measureGaps(moments, symbol, names, costBp)]);
  }
}

/** Measures at whole minutes, like a recording, and second by second. */
function measureSimulated(symbol: MarketSymbol): void {
  const minutes: Gaps[] = [];
  const seconds: Gaps[] = [];
  for (let number = 1; number <= seeds; number += 1) {
    const item = (isWanted: (moment: Moment) => boolean) =>
      measureGaps(isWantedMoment(number, isWanted), symbol, venues, costBp);
    minutes.push(item(({ atMs }) => atMs % minuteMs === 0));
    seconds.push(item(() => true));
  }
  printGaps("simulated, minutes", symbol, minutes);
  printGaps("simulated, seconds", symbol, seconds);
}

function* isWantedMoment(number: number, isWanted: (moment: Moment) => boolean): Generator<Moment> {
  const { model, simulator, seed } = openSeed(
    number,
    sharedSymbols.map(([symbol]) => symbol),
    warmHours,
  );
  for (const moment of simulatedMoments(model, simulator, seed, hours * 3_600))
    if (isWanted(moment)) yield moment;
}

function printGaps(market: string, symbol: MarketSymbol, all: readonly Gaps[]): void {
  const sorted = (of: (gaps: Gaps) => readonly number[]) =>
    all.flatMap(of).toSorted((a, b) => a - b);
  const mids = sorted((gaps) => gaps.mids);
  const runs = sorted((gaps) => gaps.runs);
  const moments = all.reduce((sum, gaps) => sum + gaps.moments, 0);
  const aboveCost = runs.reduce((sum, run) => sum + run, 0);
  const cells = [
    market,
    symbol,
    moments,
    ...[0.5, 0.9, 0.99].map((share) => computeQuantile(mids, share).toFixed(1)),
    (mids.at(-1) ?? Number.NaN).toFixed(1),
    ((100 * aboveCost) / moments).toFixed(3),
    runs.length === 0 ? "none" : computeQuantile(runs, 0.5),
    runs.at(-1) ?? "none",
  ];
  console.log(`| ${cells.join(" | ")} |`);
}
