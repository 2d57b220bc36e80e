import { describe, expect, test } from "vitest";
import { BacktestRun, pickBest, runBacktest } from "#core/backtest/backtest.ts";
import { chooseEvenCuts, findLookAhead, type StrategyMaker } from "#core/backtest/lookAhead.ts";
import { findCommonSpan, replayMoments, type Series } from "#core/backtest/replayMoments.ts";
import { buildPools, formatPoolName, withMargins } from "#core/hosting/catalogue.ts";
import { cross } from "#core/hosting/strategy/crossVenue.ts";
import { checkConfig } from "#core/hosting/strategy/strategies.ts";
import {
  createMoment,
  crossPool,
  generateBars,
  holdPool,
  trianglePool,
} from "#core/hosting/testing.ts";
import type { PoolConfig } from "#core/hosting/types.ts";
import { symbolNames } from "#core/market/symbols.ts";
import { dayMs } from "#core/money/time.ts";

/** A day and a half at two venues up to half a percent apart. */
const seriesList: Series[] = [
  { venue: "north", symbol: "BTC/USDT", bars: generateBars(1, 2_160, 0) },
  { venue: "south", symbol: "BTC/USDT", bars: generateBars(2, 2_160, 50) },
];
const span = findCommonSpan(seriesList);

function runAll(
  friction: "frictionless" | "realistic" | "harsh",
  pools: PoolConfig[] = [crossPool],
) {
  const runs = pools.map((pool) => new BacktestRun(pool, friction));
  const progress = [...runBacktest(runs, replayMoments(seriesList), span)];
  return { results: runs.map((run) => run.result()), progress };
}

describe("a backtest", () => {
  const [result] = runAll("realistic").results;
  test("a backtest trades, and a rerun gives the same result to the last digit", () => {
    expect(result!.counters.trades).toBeGreaterThan(20);
    expect(runAll("realistic").results[0]).toEqual(result);
  });

  test("daily net is gross less slippage and fees, and results sum to the change in worth", () => {
    const { days, counters, worth, start } = result!;
    expect(days.map(({ dayMs }) => new Date(dayMs).toISOString().slice(0, 10))).toEqual([
      "2023-03-01",
      "2023-03-02",
    ]);
    const sum = (name: "gross" | "slippage" | "fees" | "result" | "net") =>
      days.reduce((total, day) => total + day[name], 0n);
    expect([sum("gross"), sum("slippage"), sum("fees")]).toEqual([
      counters.gross,
      counters.slippage,
      counters.fees,
    ]);
    expect(sum("net")).toBe(counters.gross - counters.slippage - counters.fees);
    expect(sum("result")).toBe(worth - start);
  });

  test.each([
    ["frictionless", 0n],
    ["realistic", 10n],
    ["harsh", 20n],
  ] as const)("under %s every fill pays %s basis points", (friction, bp) => {
    const fills: { quote: bigint; fee: bigint }[] = [];
    const run = new BacktestRun(crossPool, friction, {
      onStep: (step) => fills.push(...step.fills),
    });
    for (const moment of replayMoments(seriesList)) run.take(moment);
    expect(run.result()).toEqual(runAll(friction).results[0]);
    expect(fills.length).toBeGreaterThan(20);
    for (const { quote, fee } of fills) expect(fee).toBe((quote * bp + 9_999n) / 10_000n);
  });

  test("the frictionless preset ends with a higher worth than the realistic one", () => {
    expect(runAll("frictionless").results[0]!.worth > result!.worth).toBe(true);
  });

  test("progress reaches the total, and pools run side by side do not affect each other", () => {
    const { results, progress } = runAll("realistic", [crossPool, holdPool]);
    expect(progress.map(({ doneMs, totalMs }) => doneMs / totalMs).at(-1)).toBe(1);
    expect(progress.length).toBe(2);
    expect(results[0]).toEqual(result);
  });

  test("stepping every second ends in the same state, as no book exists between closes", () => {
    const run = new BacktestRun(crossPool, "realistic");
    const seconds: number[] = [];
    for (const moment of replayMoments(seriesList)) {
      run.take(moment);
      for (const delayMs of [1_000, 30_000, 59_000]) {
        const between = { ...moment, atMs: moment.atMs + delayMs };
        if (between.atMs < span.toMs) run.take(between);
        seconds.push(delayMs);
      }
    }
    expect(seconds.length).toBeGreaterThan(6_000);
    expect(run.result().state).toEqual(result!.state);
  });

  test("a run can be stopped after any day", () => {
    const run = new BacktestRun(crossPool, "realistic");
    const progress = runBacktest([run], replayMoments(seriesList), span);
    progress.next();
    progress.return(undefined);
    expect(run.result().days).toHaveLength(2);
    expect(run.result().days[1]!.trades).toBeLessThan(result!.days[1]!.trades);
  });

  test("each setting is an independent run, and the best reports how many were tried", () => {
    const { results } = runAll("realistic", withMargins(crossPool, [0, 2, 40]));
    const { best, tried } = pickBest(results);
    expect(tried).toBe(3);
    expect(results.every(({ worth }) => worth <= best.worth)).toBe(true);
    expect(results[1]!.days).toEqual(result!.days);
    const trades = results.map(({ counters }) => counters.trades);
    expect(trades[0]! > trades[1]! && trades[1]! > trades[2]!).toBe(true);
  });
});

test("the last minute of a day closes within that day", () => {
  const midnight = Date.UTC(2023, 2, 2);
  const run = new BacktestRun(holdPool, "realistic");
  for (const atMs of [midnight - 60_000, midnight, midnight + 60_000]) {
    run.take(createMoment(atMs, { "north/BTC/USDT": [1_999_000n, 2_000_000n, 1] }));
  }
  const day = (dayAt: number) => new Date(run.result().days[dayAt]?.dayMs ?? 0).toISOString();
  expect([day(0), day(1)]).toEqual(["2023-03-01T00:00:00.000Z", "2023-03-02T00:00:00.000Z"]);
  expect(run.result().marks).toBe(3);
  const earlyRun = new BacktestRun(holdPool, "realistic");
  earlyRun.take(createMoment(midnight, { "north/BTC/USDT": [1_999_000n, 2_000_000n, 1] }));
  expect(earlyRun.result().days[0]?.dayMs).toBe(midnight - dayMs);
});

test("a recording shows a book only in minutes with volume, and never an open bar", () => {
  const bars = seriesList[1]!.bars;
  let books = 0;
  for (const moment of replayMoments([seriesList[1]!])) {
    const book = moment.book("south", "BTC/USDT")!;
    expect(book.atMs).toBe(bars.closeMs(bars.lastClosed(moment.atMs)));
    if (book.atMs === moment.atMs) books += 1;
  }
  expect(books).toBe(bars.length);
});

describe("the look-ahead check", () => {
  const cuts = chooseEvenCuts(seriesList, 4);
  /**
   * Trades only when its own next minute is better still, so it reads the recording past the
   * moment.
   */
  const peekingStrategy: StrategyMaker = (series) => (config, friction, state, moment) => {
    const { bars } = series.find(({ venue }) => venue === "south")!;
    const next = bars.quoteAt(moment.atMs + 60_000);
    const currentQuote = bars.quoteAt(moment.atMs);
    if (!next || !currentQuote || next.bid <= currentQuote.bid)
      return { trades: false, why: "gap", observed: null };
    return cross.decide(config, friction, state, moment);
  };
  /** Stops trading in the last hour of the data, so it uses only their length. */
  const endAwareStrategy: StrategyMaker = (series) => (config, friction, state, moment) =>
    findCommonSpan(series).toMs < moment.atMs + 3_600_000
      ? { trades: false, why: "gap", observed: null }
      : cross.decide(config, friction, state, moment);

  test("a strategy that sees one moment at a time passes", () => {
    expect(findLookAhead(crossPool, "realistic", () => cross.decide, seriesList, cuts)).toBeNull();
  });
  test.each([
    ["reads the next minute", peekingStrategy],
    ["knows where the data end", endAwareStrategy],
  ])("a strategy that %s fails", (_, make) => {
    const peek = findLookAhead(crossPool, "realistic", make, seriesList, cuts);
    expect(peek).not.toBeNull();
    expect(cuts).toContain(peek!.cutMs);
    expect(peek!.atMs <= peek!.cutMs).toBe(true);
  });
});

describe("pools that a market allows", () => {
  test("cross per shared symbol, triangle per loop within a venue, hold per coin's pair", () => {
    const venuesBySymbol: Record<string, string[]> = {
      "BTC/USDT": ["binance", "coinbase"],
      "BTC/USDC": ["binance"],
      "USDC/USDT": ["binance"],
      "BTC/USD": ["coinbase"],
    };
    expect(buildPools((symbol) => venuesBySymbol[symbol] ?? []).map(formatPoolName)).toEqual([
      "cross BTC/USDT @ binance coinbase",
      "triangle BTC/USDT BTC/USDC USDC/USDT @ binance",
      "hold BTC/USDT @ binance",
    ]);
    expect(buildPools(() => ["a", "b"]).every((pool) => checkConfig(pool) === null)).toBe(true);
    expect(buildPools(() => ["a"]).filter(({ strategy }) => strategy !== "triangle")).toEqual([]);
    expect(symbolNames).toContain("BTC/USDC");
  });

  test.each([
    ["one venue is too few", { ...crossPool, venues: ["north"] }, "venues_count"],
    [
      "a repeated venue is refused",
      { ...crossPool, venues: ["north", "north"] },
      "venues_repeated",
    ],
    [
      "two symbols are refused",
      { ...crossPool, symbols: ["BTC/USDT", "BTC/USDC"] as const },
      "symbols_count",
    ],
    [
      "symbols that form no loop are refused",
      { ...trianglePool, symbols: ["BTC/USDT", "ETH/USDT", "USDC/USDT"] as const },
      "symbols_open",
    ],
    [
      "a home coin that the symbols do not return to is refused",
      { ...holdPool, home: "USDC" as const },
      "symbols_open",
    ],
    ["a margin above ten percent is refused", { ...crossPool, marginBp: 1_001 }, "margin_range"],
    ["a margin of half a basis point is refused", { ...crossPool, marginBp: 0.5 }, "margin_range"],
    ["a closed triangle is accepted", trianglePool, null],
  ])("%s", (_, config, fault) => {
    expect(checkConfig(config)).toBe(fault);
  });
});
