import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { computeShareAheadBp } from "#core/contracts/shareAhead.ts";
import { quoteStake } from "#core/contracts/stake.ts";
import { parseBars } from "#core/market/replay/bars.ts";
import { minuteMs } from "#core/money/time.ts";
import { computeExactBelowBp } from "./exactBelow.ts";
import { computeMoves, getHistoryStep, type HistoryKline, type Move } from "./moves.ts";
import { type OrdersRun, personCount, runOrders } from "./orders.ts";
import { computeQuantiles } from "./quantiles.ts";

const tier = { rateBp: 9_000, feeBp: 100 };
const quote = quoteStake(100_000_000n, tier);
const balance = 5_000_000_000n;

/** A second implementation of xoshiro128**, in 64-bit integers cut to 32 bits. */
function* plainDraws(seed: string): Generator<bigint, never> {
  const bytes = createHash("sha256").update(`drydock.monte-carlo/1 ${seed}`).digest();
  const truncate = (value: bigint) => BigInt.asUintN(32, value);
  const rotate = (value: bigint, by: bigint) =>
    truncate(value << by) | (truncate(value) >> (32n - by));
  const s = [0, 4, 8, 12].map((offset) => BigInt(bytes.readUInt32LE(offset)));
  for (;;) {
    yield truncate(rotate(truncate(s[1]! * 5n), 7n) * 9n);
    const t = truncate(s[1]! << 9n);
    s[2]! ^= s[0]!;
    s[3]! ^= s[1]!;
    s[1]! ^= s[2]!;
    s[0]! ^= s[3]!;
    s[2]! ^= t;
    s[3] = rotate(s[3]!, 11n);
  }
}

/**
 * A second implementation of the rules, in whole pUSDT cents as plain numbers and with results per
 * person.
 */
function plainRun(seed: string, moves: readonly Move[], horizon: number) {
  const draws = plainDraws(seed);
  const ends: number[] = [];
  const counts = { won: 0, lost: 0, tied: 0 };
  let outCount = 0;
  for (let person = 0; person < 1_000; person += 1) {
    let cents = 0;
    let broke = false;
    for (let order = 0; order < 500; order += 1) {
      const word = draws.next().value;
      if (order >= horizon) continue;
      const start = Number(((word >> 1n) * BigInt(moves.length)) >> 31n);
      if (500_000 + cents < 10_100) broke = true;
      if (moves[start] === "tie") {
        counts.tied += 1;
        cents -= 100;
      } else if ((word % 2n === 1n) === (moves[start] === "won")) {
        counts.won += 1;
        cents += 8_900;
      } else {
        counts.lost += 1;
        cents -= 10_100;
      }
    }
    if (broke) outCount += 1;
    ends.push(cents);
  }
  const inOrder = ends.toSorted((a, b) => a - b);
  return {
    ...counts,
    below: ends.filter((end) => end < 0).length,
    outOfMoney: outCount,
    spread: [inOrder[9], inOrder[249], inOrder[499], inOrder[750], inOrder[990]],
  };
}

function expectPlain(run: OrdersRun, moves: readonly Move[]) {
  for (const { orders, below, won, lost, tied, outOfMoney, spread } of run.rows) {
    const cents = Object.values(spread).map((amount) => Number(amount) / 10_000);
    expect({ won, lost, tied, below, outOfMoney, spread: cents }).toEqual(
      plainRun(run.seed, moves, orders),
    );
  }
}

/** Four standard deviations: one seed in 16 000 deviates more. */
function expectNear(count: number, total: number, shareBp: number) {
  const share = shareBp / 10_000;
  const deviation = Math.abs(count - total * share) / Math.sqrt(total * share * (1 - share));
  expect(deviation).toBeLessThan(4);
}

function expectBinomial({ rows }: OrdersRun) {
  for (const { below, exactBelowBp: exact, won, lost } of rows) {
    expectNear(below, personCount, exact);
    expectNear(lost, won + lost, 5_000);
  }
}

const tossMoves = (count: number, ties: number): Move[] =>
  Array.from({ length: count }, (_, index) =>
    index < ties ? "tie" : index % 3 === 0 ? "won" : "lost",
  );

describe.each([
  ["a falling history", tossMoves(1_999, 0)],
  ["a history with ties", tossMoves(700, 200)],
  ["a single start", tossMoves(1, 0)],
] as const)("a thousand people on %s", (_, moves) => {
  const run = runOrders({ seed: "0badcafe", moves, quote, balance });

  test("a run equals an independent computation, person by person", () => {
    expectPlain(run, moves);
  });

  test("losses and falls below the start match the exact binomial", () => {
    expectBinomial(run);
  });

  test("a run is determined by its seed", () => {
    expect(runOrders({ seed: "0badcafe", moves, quote, balance })).toEqual(run);
    const otherRun = runOrders({ seed: "0badcaff", moves, quote, balance });
    expect(otherRun.fan).not.toEqual(run.fan);
    expectBinomial(otherRun);
  });

  test("a fan starts at zero, and its last points equal the rows", () => {
    const [first] = run.fan;
    expect(first).toEqual({ orders: 0, spread: computeQuantiles([0n]) });
    const fanOrders = new Map(run.fan.map(({ orders, spread }) => [orders, spread]));
    for (const { orders, spread } of run.rows) expect(fanOrders.get(orders)).toEqual(spread);
    expect(run.fan.map(({ orders }) => orders)).toEqual(
      [...fanOrders.keys()].sort((a, b) => a - b),
    );
  });
});

test("a thousand people match the example of docs/rules/monte-carlo.md", () => {
  const { rows } = runOrders({ seed: "0badcafe", moves: tossMoves(1_999, 0), quote, balance });
  expect(rows.map(({ below }) => below)).toEqual([601, 772, 932]);
  expect(rows.map((row) => row.exactBelowBp)).toEqual([5_881, 7_579, 9_172]);
});

test("five thousand people match the exact share", () => {
  const moves = tossMoves(1_000, 50);
  const runs = Array.from({ length: 5 }, (_, index) =>
    runOrders({ seed: `${index}`, moves, quote, balance: null }),
  );
  for (const [index, { exactBelowBp: exact }] of runs[0]!.rows.entries()) {
    const belowCount = runs.reduce((sum, { rows }) => sum + rows[index]!.below, 0);
    expectNear(belowCount, 5 * personCount, exact);
    expect(runs.every(({ rows }) => rows[index]!.outOfMoney === null)).toBe(true);
  }
});

describe("computeExactBelowBp", () => {
  test.each([
    5, 20, 100, 500,
  ])("without ties after %i orders the share complements `computeShareAheadBp`", (orders) => {
    expect(computeExactBelowBp(orders, quote, { starts: 9, ties: 0 })).toBe(
      10_000 - computeShareAheadBp(orders, tier),
    );
  });

  test.each([
    // One order: a flip loses half of the orders that are no tie, and a tie costs its fee.
    [1, 4, 1, 0.75 * 0.5 + 0.25],
    [1, 3, 3, 1],
    // Two: both lost, one of each, or any tie without a win (a win pays for one tie's fee).
    [2, 2, 1, 0.25 * (0.25 + 0.5) + 0.5 * 0.5 + 0.25],
  ])("%i orders with %i starts and %i ties match a manual count", (orders, starts, ties, share) => {
    expect(computeExactBelowBp(orders, quote, { starts, ties })).toBe(Math.round(share * 10_000));
  });
});

describe("computeMoves", () => {
  const kline = (minute: number, open: bigint, close: bigint): HistoryKline => ({
    openMs: minute * minuteMs,
    open,
    close,
  });
  const rule = { stepMs: minuteMs, tierSeconds: 180, rangeBp: 0, nowMs: 6 * minuteMs };
  const klines = [
    kline(0, 100n, 101n),
    kline(1, 101n, 99n),
    kline(2, 99n, 100n),
    kline(4, 100n, 90n),
    kline(5, 90n, 200n),
  ];

  test("a move runs from an open to the close in which the order ends, and skips gaps", () => {
    // 0 → the close of 2; 1 → of 3, which is missing; 2 → of 4; the rest end after the history.
    expect(computeMoves(klines, rule)).toEqual(["tie", "lost"]);
    expect(computeMoves(klines, { ...rule, tierSeconds: 60 })).toEqual([
      "won",
      "lost",
      "won",
      "lost",
      "won",
    ]);
  });

  test("an open kline is never used", () => {
    expect(
      computeMoves(klines, { ...rule, tierSeconds: 60, nowMs: 6 * minuteMs - 1 }),
    ).toHaveLength(4);
    expect(computeMoves(klines, { ...rule, tierSeconds: 60, nowMs: 0 })).toEqual([]);
  });

  test("the range turns small moves into ties", () => {
    expect(computeMoves(klines, { ...rule, tierSeconds: 60, rangeBp: 200 })).toEqual([
      "tie",
      "tie",
      "tie",
      "lost",
      "won",
    ]);
  });

  test.each([
    [30, "1m"],
    [60, "1m"],
    [900, "1m"],
    [3_600, "5m"],
    [86_400, "1h"],
  ])("a tier of %i s reads klines of %s", (seconds, interval) => {
    expect(getHistoryStep(seconds).interval).toBe(interval);
  });
});

test("the spread takes the tenth result from each end of a thousand", () => {
  const results = Array.from({ length: 1_000 }, (_, index) => BigInt((index * 7) % 1_000) - 500n);
  expect(computeQuantiles(results)).toEqual({
    worst: -491n,
    low: -251n,
    median: -1n,
    high: 250n,
    best: 490n,
  });
  expect(() => computeQuantiles([])).toThrow(RangeError);
  expect(() => runOrders({ seed: "", moves: [], quote, balance })).toThrow(RangeError);
});

/** Not part of the project; without it these tests are skipped, with the reason. */
const folder = join(import.meta.dirname, "../../../shared/data");

describe.skipIf(!existsSync(folder))(
  "on the recordings of March 2023 (skipped where they are absent)",
  () => {
    test.each([
      ["binance.BTC-USDT.1m.csv", 2, 300],
      ["kraken.BTC-USDC.1m.csv", 2, 60],
      ["kraken.USDT-USD.1m.csv", 5, 3_600],
    ])("%s at %i decimals over %i s matches both computations", (file, scale, tierSeconds) => {
      const result = parseBars(readFileSync(join(folder, file), "utf8"), scale);
      if (!result.ok) throw new Error(JSON.stringify(result));
      const halfway = result.bars[Math.floor(result.bars.length / 2)]!.openMs;
      const rule = { stepMs: minuteMs, tierSeconds, rangeBp: 0, nowMs: halfway };
      const moves = computeMoves(result.bars, rule);
      expect(moves.length).toBeGreaterThan(1_000);
      // Later klines change nothing.
      const pastBars = result.bars.filter(({ openMs }) => openMs < halfway);
      expect(computeMoves(pastBars, rule)).toEqual(moves);
      const run = runOrders({ seed: file, moves, quote, balance });
      expectPlain(run, moves);
      expectBinomial(run);
    });
  },
);
