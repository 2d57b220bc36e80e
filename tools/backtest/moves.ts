/**
 * `npm run trial -- moves [--seeds 8] [--hours 6] [--warm-hours 1]`: how the simulated market's
 * prices move. By symbol: volatility a year and how a minute's move predicts the next. Then the
 * results of 60-second orders that follow what is visible when they are placed, settled by the
 * default terms.
 */
import { computeFee, settle } from "#core/contracts/settle.ts";
import { computeSettlementPrice, getWindowSeconds } from "#core/contracts/settlementWindow.ts";
import { defaultTiers } from "#core/contracts/terms.ts";
import { computeIndexValue, filterFreshQuotes } from "#core/market/indexValue.ts";
import { symbolNames, symbols } from "#core/market/symbols.ts";
import { parseOptions, parseWholeNumber } from "../lib/options.ts";
import { computeQuantile } from "../lib/quantile.ts";
import { openSeed } from "./seeds.ts";

const { values } = parseOptions(
  {
    options: {
      seeds: { type: "string" },
      hours: { type: "string" },
      "warm-hours": { type: "string" },
    },
  },
  "npm run trial -- moves [--seeds 8] [--hours 6] [--warm-hours 1]",
);
const seeds = parseWholeNumber("seeds", values.seeds, { from: 1, to: 1_000, fallback: 8 });
const hours = parseWholeNumber("hours", values.hours, { from: 1, to: 48, fallback: 6 });
const warmHours = parseWholeNumber("warm-hours", values["warm-hours"], {
  from: 1,
  to: 1_000,
  fallback: 1,
});
const tier = defaultTiers[0]!;
const minutesPerYear = 365.25 * 24 * 60;
/**
 * Seconds from an order's last known price to its entry: the next second binds it, and the one
 * after that is its entry.
 */
const entryAfter = 2;
const meanSeconds = 300;

/** A symbol's seconds under one seed. */
interface Path {
  index: (bigint | null)[];
  /** The fastest venue's mid minus the index, in steps of the price; NaN where one is missing. */
  lead: Float64Array;
}

/**
 * How strongly a rule expects the price to rise (above 0) or to fall (below 0); NaN if it makes no
 * prediction.
 */
type Rule = (path: Path, at: number) => number;

const rules: readonly { name: string; rule: Rule; share: number; least: number }[] = [
  { name: "the last second's move, the largest tenth", rule: getMove(1), share: 0.1, least: 0 },
  { name: "the last minute's move", rule: getMove(60), share: 1, least: 0 },
  { name: "the fastest venue's lead, the largest tenth", rule: getLead, share: 0.1, least: 0 },
  {
    name: "its lead against its mean of five minutes, from half a step on",
    rule: (path, index) => getLead(path, index) - meanLead(path, index),
    share: 1,
    least: 0.5,
  },
];

const paths = symbolNames.map((): Path[] => []);
for (let number = 1; number <= seeds; number += 1) {
  const simulated = run(number);
  for (const [column, path] of simulated.entries()) paths[column]!.push(path);
}

console.log(`${seeds} seeds of ${hours} hours after ${warmHours} of warm-up`);
console.log("| symbol | volatility a year, % | correlation of a minute's move with the next |");
console.log("|---|---|---|");
for (const [column, symbol] of symbolNames.entries()) {
  const moves = paths[column]!.map(({ index }) => getMoves(index));
  const squares = moves.flat().map((move) => move * move);
  const products = moves.flatMap((list) =>
    list.slice(1).map((move, before) => move * list[before]!),
  );
  const volatility = 100 * Math.sqrt(getMean(squares) * minutesPerYear);
  const correlation = getMean(products) / getMean(squares);
  console.log(`| ${symbol} | ${volatility.toFixed(1)} | ${correlation.toFixed(3)} |`);
}
console.log("\n| followed | symbol | orders decided | won of these, % | tied, % | net per 100 |");
console.log("|---|---|---|---|---|---|");
const coins = symbolNames.filter((name) => symbols[name].type !== "stable");
const groups = [
  coins,
  ...symbolNames.filter((name) => !coins.includes(name)).map((symbolName) => [symbolName]),
];
for (const { name, rule, share, least: minimum } of rules)
  for (const group of groups) {
    const nets = group.flatMap((symbol) =>
      paths[symbolNames.indexOf(symbol)]!.flatMap((path) => followRule(path, rule, share, minimum)),
    );
    const decidedNets = nets.filter(({ outcome }) => outcome === "won" || outcome === "lost");
    const won = decidedNets.filter(({ outcome }) => outcome === "won").length;
    const ties = nets.filter(({ outcome }) => outcome === "tie").length;
    const cells = [
      name,
      group === coins ? "coins" : group[0],
      decidedNets.length,
      ((100 * won) / decidedNets.length).toFixed(1),
      ((100 * ties) / nets.length).toFixed(1),
      getMean(nets.map(({ net }) => net)).toFixed(2),
    ];
    console.log(`| ${cells.join(" | ")} |`);
  }

function run(number: number): Path[] {
  const { simulator } = openSeed(number, symbolNames, warmHours);
  const seconds = hours * 3_600;
  const paths = symbolNames.map((): Path => ({ index: [], lead: new Float64Array(seconds) }));
  for (let position = 0; position < seconds; position += 1) {
    const { secondMs, quotes } = simulator.step();
    for (const [column, { index, lead }] of paths.entries()) {
      const row = quotes.map((venue) => venue[column] ?? null);
      const best = filterFreshQuotes(row, secondMs);
      const value = computeIndexValue(best);
      const [first] = best;
      index.push(value);
      lead[position] =
        first && value !== null ? Number(first.bid + first.ask) / 2 - Number(value) : Number.NaN;
    }
  }
  return paths;
}

function numberAt({ index }: Pick<Path, "index">, position: number): number {
  const value = index[position];
  return value === null || value === undefined ? Number.NaN : Number(value);
}

function getMove(seconds: number): Rule {
  return (path, index) => numberAt(path, index) - numberAt(path, index - seconds);
}

function getLead({ lead }: Path, index: number): number {
  return lead[index]!;
}

function meanLead({ lead }: Path, index: number): number {
  return getMean(
    [...lead.subarray(index - meanSeconds, index)].filter((value) => !Number.isNaN(value)),
  );
}

function getMoves(index: Path["index"]): number[] {
  const moves: number[] = [];
  for (let position = 60; position < index.length; position += 60) {
    const move = Math.log(numberAt({ index }, position) / numberAt({ index }, position - 60));
    if (Number.isFinite(move)) moves.push(move);
  }
  return moves;
}

/** Orders with a stake of 100 and windows that do not overlap; void ones are left out. */
function followRule(path: Path, rule: Rule, share: number, minimum: number) {
  const { index } = path;
  const step = tier.seconds + entryAfter + 1;
  const signals: { at: number; signal: number }[] = [];
  for (let position = meanSeconds; position + step < index.length; position += step) {
    const signal = rule(path, position);
    if (signal) signals.push({ at: position, signal });
  }
  const sizes = signals.map(({ signal }) => Math.abs(signal)).toSorted((a, b) => a - b);
  const from = Math.max(minimum, computeQuantile(sizes, 1 - share));
  return signals
    .filter(({ signal }) => Math.abs(signal) >= from)
    .map(({ at, signal }) => settleOrder(index, at + entryAfter, signal > 0 ? "up" : "down"))
    .filter(({ outcome }) => outcome !== "void");
}

function settleOrder(index: Path["index"], entry: number, direction: "up" | "down") {
  const delivery = entry + tier.seconds;
  const length = getWindowSeconds(tier.seconds);
  const samples = index
    .slice(delivery - length + 1, delivery + 1)
    .filter((item): item is bigint => item !== null);
  const selling = computeSettlementPrice(samples, length);
  const stake = 10_000n;
  const order = { direction, stake, fee: computeFee(stake, tier.feeBp), ...tier };
  const { outcome, net } = settle(order, index[entry] ?? null, selling.ok ? selling.price : null);
  return { outcome, net: Number(net) / 100 };
}

function getMean(list: readonly number[]): number {
  return list.reduce((sum, value) => sum + value, 0) / list.length;
}
