/**
 * `npm run trial -- moves [--seeds 8] [--hours 6]`: how the simulated market's prices move. By
 * symbol: volatility a year and how a minute's move predicts the next, and how often three simple
 * ways of following what is visible are right about the next sixty seconds.
 */
import { freshQuotes, indexValue } from "#core/market/indexValue.ts";
import { type MarketSymbol, symbolNames, symbols } from "#core/market/symbols.ts";
import { parseOptions, wholeNumber } from "../lib/options.ts";
import { quantile } from "../lib/quantile.ts";
import { openSeed } from "./seeds.ts";

const { values } = parseOptions(
  { options: { seeds: { type: "string" }, hours: { type: "string" } } },
  "npm run trial -- moves [--seeds 8] [--hours 6]",
);
const seeds = wholeNumber("seeds", values.seeds, { from: 1, to: 1_000, or: 8 });
const hours = wholeNumber("hours", values.hours, { from: 1, to: 48, or: 6 });
const windowSeconds = 60;
const minutesPerYear = 365.25 * 24 * 60;

/** A symbol's seconds under one seed; NaN where the index has a gap. */
interface Path {
  index: Float64Array;
  /** The fastest venue's mid minus the index, as a share of it. */
  lead: Float64Array;
}

const following = {
  "the last second, if among the largest tenth": ({ index }: Path, at: number) =>
    index[at]! / index[at - 1]! - 1,
  "the last minute": ({ index }: Path, at: number) => index[at]! / index[at - windowSeconds]! - 1,
  "the fastest venue's lead, if among the largest tenth": ({ lead }: Path, at: number) => lead[at]!,
} as const;
type Rule = keyof typeof following;

const paths = symbolNames.map((): Path[] => []);
for (let number = 1; number <= seeds; number += 1) {
  const found = run(number);
  for (const [column, path] of found.entries()) paths[column]!.push(path);
}

console.log(`${seeds} seeds of ${hours} hours after an hour of warm-up`);
console.log("| symbol | volatility a year, % | correlation of a minute's move with the next |");
console.log("|---|---|---|");
for (const [column, symbol] of symbolNames.entries()) {
  const moves = paths[column]!.map(({ index }) => movesOf(index));
  const squares = moves.flat().map((move) => move * move);
  const products = moves.flatMap((list) =>
    list.slice(1).map((move, before) => move * list[before]!),
  );
  const volatility = 100 * Math.sqrt(meanOf(squares) * minutesPerYear);
  const correlation = meanOf(products) / meanOf(squares);
  console.log(`| ${symbol} | ${volatility.toFixed(1)} | ${correlation.toFixed(3)} |`);
}
console.log("\n| followed | symbols | windows decided | right, % | tied, % |");
console.log("|---|---|---|---|---|");
for (const rule of Object.keys(following) as Rule[])
  for (const isStable of [false, true]) showRule(rule, isStable);

function run(number: number): Path[] {
  const { simulator } = openSeed(number);
  const seconds = hours * 3_600;
  const found = symbolNames.map(
    (): Path => ({ index: new Float64Array(seconds), lead: new Float64Array(seconds) }),
  );
  for (let at = 0; at < seconds; at += 1) {
    const { secondMs, quotes } = simulator.step();
    for (const [column, { index, lead }] of found.entries()) {
      const row = quotes.map((venue) => venue[column] ?? null);
      const best = freshQuotes(row, secondMs);
      const value = indexValue(best);
      const first = best[0];
      index[at] = value === null ? Number.NaN : Number(value);
      lead[at] = first ? Number(first.bid + first.ask) / 2 / index[at]! - 1 : Number.NaN;
    }
  }
  return found;
}

function movesOf(index: Float64Array): number[] {
  const moves: number[] = [];
  for (let at = windowSeconds; at < index.length; at += windowSeconds) {
    const move = Math.log(index[at]! / index[at - windowSeconds]!);
    if (Number.isFinite(move)) moves.push(move);
  }
  return moves;
}

/** Windows that do not overlap; an order's entry is the second after it was placed. */
function showRule(rule: Rule, isStable: boolean): void {
  let decided = 0;
  let right = 0;
  let tied = 0;
  for (const [column, symbol] of symbolNames.entries()) {
    if ((symbols[symbol as MarketSymbol].type === "stable") !== isStable) continue;
    for (const path of paths[column]!) {
      const { index } = path;
      const signs: { at: number; sign: number }[] = [];
      for (let at = windowSeconds; at + windowSeconds + 1 < index.length; at += windowSeconds)
        signs.push({ at, sign: following[rule](path, at) });
      const sizes = signs.map(({ sign }) => Math.abs(sign)).filter(Number.isFinite);
      const least = rule.includes("tenth")
        ? quantile(
            sizes.toSorted((a, b) => a - b),
            0.9,
          )
        : 0;
      for (const { at, sign } of signs) {
        if (!(Math.abs(sign) >= least) || sign === 0) continue;
        const move = index[at + windowSeconds + 1]! - index[at + 1]!;
        if (move === 0) tied += 1;
        if (!Number.isFinite(move) || move === 0) continue;
        decided += 1;
        if (move > 0 === sign > 0) right += 1;
      }
    }
  }
  const cells = [
    rule,
    isStable ? "dollar pairs" : "coins",
    decided,
    ((100 * right) / decided).toFixed(1),
    ((100 * tied) / (tied + decided)).toFixed(1),
  ];
  console.log(`| ${cells.join(" | ")} |`);
}

function meanOf(list: readonly number[]): number {
  return list.reduce((sum, one) => sum + one, 0) / list.length;
}
