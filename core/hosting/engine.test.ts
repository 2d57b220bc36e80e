import { describe, expect, test } from "vitest";
import { stepEngine } from "#core/hosting/engine.ts";
import { addOwed, createState, payIn, payOwed } from "#core/hosting/state.ts";
import {
  createMoment,
  crossPool,
  type FlatBook,
  holdPool,
  trianglePool,
} from "#core/hosting/testing.ts";
import type { Moment, PoolState } from "#core/hosting/types.ts";
import { computeAssetsWorth, computeTotal } from "#core/hosting/value.ts";

const usdt = 1_000_000n;
const btc = 100_000_000n;
/** Not a whole minute, so neither stock nor transfers are processed. */
const t0 = 1_700_000_001_000;
const wideBook: FlatBook = [2_009_000n, 2_010_000n, 1];
const lowBook: FlatBook = [1_979_000n, 1_980_000n, 1];
const calmBook: FlatBook = [1_999_000n, 2_000_000n, 1];

const stockedState: PoolState = {
  ...createState(),
  held: {
    "north/USDT": 20_000n * usdt,
    "south/USDT": 20_000n * usdt,
    "north/BTC": btc,
    "south/BTC": btc,
  },
};
const momentWithGap = (atMs: number) =>
  createMoment(atMs, { "north/BTC/USDT": lowBook, "south/BTC/USDT": wideBook });
const atBothVenues = (atMs: number, north: FlatBook = lowBook, south: FlatBook = wideBook) =>
  createMoment(atMs, { "north/BTC/USDT": north, "south/BTC/USDT": south });

describe("cross-venue arbitrage", () => {
  test("arbitrage buys at the cheap venue and sells at the expensive one, in the sizes on offer", () => {
    const { decision, fills, why } = stepEngine(
      crossPool,
      "realistic",
      stockedState,
      momentWithGap(t0),
    );
    expect(why).toBeNull();
    expect(fills).toEqual([]);
    expect(decision?.orders.map(({ venue, side, limit }) => [venue, side, limit])).toEqual([
      ["north", "buy", 1_984_950n],
      ["south", "sell", 2_003_978n],
    ]);
    expect(decision?.orders[0]?.quantity).toBe(btc);
    expect(decision?.observed).toEqual({ gap: 14_646, needed: 2_202 });
  });

  test.each([
    ["a gap of 22 basis points covers two fees and the margin", 2_004_406n, "arbitrage"],
    ["a slightly smaller gap does not", 2_004_405n, "gap"],
  ])("%s", (_, bid, outcome) => {
    const moment = atBothVenues(t0, [1_999_000n, 2_000_000n, 1], [bid, bid + 100n, 1]);
    const { decision, why } = stepEngine(crossPool, "realistic", stockedState, moment);
    expect(decision?.purpose ?? why).toBe(outcome);
  });

  test("a book from an earlier moment is refused as stale", () => {
    const oldBook = momentWithGap(t0 - 1_000).book("south", "BTC/USDT")!;
    const moment = createMoment(t0, { "north/BTC/USDT": lowBook, "south/BTC/USDT": oldBook });
    expect(stepEngine(crossPool, "realistic", stockedState, moment).why).toBe("stale");
  });

  test("a pool without stock to sell reports inventory", () => {
    const { "south/BTC": _, ...remainingHeld } = stockedState.held;
    expect(
      stepEngine(
        crossPool,
        "realistic",
        { ...stockedState, held: remainingHeld },
        momentWithGap(t0),
      ).why,
    ).toBe("inventory");
  });

  test("a gap worth less than ten units is too small", () => {
    const moment = atBothVenues(t0, [1_979_000n, 1_980_000n, 0.0004], wideBook);
    expect(stepEngine(crossPool, "realistic", stockedState, moment).why).toBe("small");
  });

  test("a gap in the index yields no decision", () => {
    const books = { "north/BTC/USDT": lowBook, "south/BTC/USDT": wideBook };
    const moment = createMoment(t0, books, { "BTC/USDT": null });
    expect(stepEngine(crossPool, "realistic", stockedState, moment).why).toBe("no_index");
  });
});

describe("latency: an order fills on a later book than the one that triggered it", () => {
  test.each([
    ["frictionless", 0],
    ["realistic", 1],
    ["harsh", 2],
  ] as const)("a %s fill waits for %i more books", (friction, books) => {
    let { state, fills } = stepEngine(crossPool, friction, stockedState, momentWithGap(t0));
    let rounds = 0;
    while (fills.length === 0 && rounds < 5) {
      rounds += 1;
      ({ state, fills } = stepEngine(
        crossPool,
        friction,
        state,
        momentWithGap(t0 + rounds * 1_000),
      ));
    }
    expect([fills.length, rounds]).toEqual([2, books]);
    expect(fills.every(({ bookMs }) => bookMs === t0 + books * 1_000)).toBe(true);
  });

  test("an order fills at the later book's price, and the difference is slippage", () => {
    const result = stepEngine(crossPool, "realistic", stockedState, momentWithGap(t0));
    const dearerBook: FlatBook = [1_980_000n, 1_981_000n, 1];
    const { fills } = stepEngine(
      crossPool,
      "realistic",
      result.state,
      atBothVenues(t0 + 1_000, dearerBook),
    );
    expect(fills.map(({ quote }) => quote)).toEqual([19_810n * usdt, 20_090n * usdt]);
    // Mid 19 795 at the decision, bought at 19 810; mid 20 095, sold at 20 090.
    expect(fills.map(({ pnl }) => pnl.slippage)).toEqual([15n * usdt, 5n * usdt]);
  });

  test("a repeated book does not count as a new one", () => {
    const result = stepEngine(crossPool, "realistic", stockedState, momentWithGap(t0));
    const sameBooks = momentWithGap(t0);
    const silentMoment: Moment = { ...sameBooks, atMs: t0 + 1_000 };
    const { fills, why } = stepEngine(crossPool, "realistic", result.state, silentMoment);
    expect([fills.length, why]).toEqual([0, "pending"]);
  });

  test("an order is abandoned after ten minutes without a book", () => {
    const result = stepEngine(crossPool, "realistic", stockedState, momentWithGap(t0));
    const { fills, state } = stepEngine(
      crossPool,
      "realistic",
      result.state,
      createMoment(t0 + 600_000, {}),
    );
    expect(fills.map(({ why, quantity }) => [why, quantity])).toEqual([
      ["no_book", 0n],
      ["no_book", 0n],
    ]);
    expect(state.orders).toEqual([]);
  });
});

test("legs fill independently, and the pool unwinds an unmatched leg at a cost", () => {
  const result = stepEngine(crossPool, "realistic", stockedState, momentWithGap(t0));
  const risenBook: FlatBook = [1_990_000n, 1_991_000n, 1];
  const stepResult = stepEngine(
    crossPool,
    "realistic",
    result.state,
    atBothVenues(t0 + 1_000, risenBook, calmBook),
  );
  // Neither fills: one price rose past its limit, the other fell below it.
  expect(stepResult.fills.map(({ why }) => why)).toEqual(["beyond_limit", "beyond_limit"]);
  const half = stepEngine(
    crossPool,
    "realistic",
    result.state,
    atBothVenues(t0 + 1_000, risenBook),
  );
  expect(half.fills.map(({ why }) => why)).toEqual(["beyond_limit", null]);
  expect(half.state.drift).toEqual({ BTC: -btc });
  expect(half.decision?.purpose).toBe("unwind");
  expect(half.decision?.orders).toMatchObject([{ venue: "north", side: "buy", quantity: btc }]);
  const clearedStep = stepEngine(
    crossPool,
    "realistic",
    half.state,
    atBothVenues(t0 + 2_000, risenBook),
  );
  expect(clearedStep.state.drift).toEqual({});
});

test("a triangle trades its three legs in one decision from three stocks", () => {
  const state: PoolState = {
    ...createState(),
    held: { "north/USDT": 10_000n * usdt, "north/USDC": 10_000n * usdt, "north/BTC": btc / 2n },
  };
  const moment = createMoment(t0, {
    "north/BTC/USDT": [1_999_900n, 2_000_000n, 1],
    "north/BTC/USDC": [2_020_000n, 2_020_100n, 0.25],
    "north/USDC/USDT": [100_000n, 100_001n, 100_000],
  });
  const { decision } = stepEngine(trianglePool, "realistic", state, moment);
  // 20 000 USDT buy one bitcoin, which sells for 20 200 USDC: 1 % before three fees. A quarter is
  // offered.
  expect(decision?.observed.gap).toBe(10_000);
  expect(decision?.orders.map(({ symbol, side, quantity }) => [symbol, side, quantity])).toEqual([
    ["BTC/USDT", "buy", btc / 4n],
    ["BTC/USDC", "sell", btc / 4n],
    ["USDC/USDT", "sell", 5_050n * usdt],
  ]);
});

test.each([
  ["a triangle whose gap equals three fees and the margin does not trade", 2_006_413n, "gap"],
  ["a triangle with a hundredth more trades", 2_006_414n, "arbitrage"],
])("%s", (_, bid, outcome) => {
  const balances = { "north/USDT": 10_000n * usdt, "north/USDC": 10_000n * usdt, "north/BTC": btc };
  const moment = createMoment(t0, {
    "north/BTC/USDT": [1_999_900n, 2_000_000n, 1],
    "north/BTC/USDC": [bid, bid + 100n, 1],
    "north/USDC/USDT": [100_000n, 100_001n, 100_000],
  });
  const { decision, why } = stepEngine(
    trianglePool,
    "realistic",
    { ...createState(), held: balances },
    moment,
  );
  expect(decision?.purpose ?? why).toBe(outcome);
});

describe("transfers between venues", () => {
  const minute = 1_700_000_040_000;
  test("money paid in is split evenly between the venues and takes ten minutes to arrive", () => {
    const fundedState = payIn(createState(), 1_000n * usdt);
    const { state, sent } = stepEngine(
      crossPool,
      "realistic",
      fundedState,
      atBothVenues(minute, calmBook, calmBook),
    );
    expect(sent.map(({ to, amount, arriveMs }) => [to, amount, arriveMs - minute])).toEqual([
      ["north", 500n * usdt, 600_000],
      ["south", 500n * usdt, 600_000],
    ]);
    expect(
      stepEngine(crossPool, "realistic", state, atBothVenues(minute + 599_000, calmBook, calmBook))
        .arrived,
    ).toEqual([]);
    const laterStep = stepEngine(
      crossPool,
      "realistic",
      state,
      atBothVenues(minute + 600_000, calmBook, calmBook),
    );
    expect(laterStep.arrived).toHaveLength(2);
    expect(laterStep.decision?.purpose).toBe("stock");
  });

  test("an empty venue is refilled from the fullest one", () => {
    const balances = { ...stockedState.held, "north/BTC": 2n * btc };
    delete (balances as Record<string, bigint>)["south/BTC"];
    const { sent } = stepEngine(
      crossPool,
      "realistic",
      { ...stockedState, held: balances },
      atBothVenues(minute, calmBook, calmBook),
    );
    expect(sent).toMatchObject([{ asset: "BTC", from: "north", to: "south", amount: btc }]);
  });

  test.each([
    ["a venue with a fifth of its even share is not refilled", btc / 5n, 0],
    ["a venue with less is refilled", btc / 5n - 1n, 1],
  ])("%s", (_, south, transfers) => {
    const balances = { ...stockedState.held, "north/BTC": 2n * btc - south, "south/BTC": south };
    const { sent } = stepEngine(
      crossPool,
      "realistic",
      { ...stockedState, held: balances },
      atBothVenues(minute, calmBook, calmBook),
    );
    expect(sent).toHaveLength(transfers);
  });

  test("a pool pays no more than it has and no more than it owes", () => {
    const owingState = addOwed(createState(5n), 10n);
    expect(() => payOwed(owingState, 6n)).toThrow(RangeError);
    expect(() => payOwed(addOwed(createState(10n), 5n), 6n)).toThrow(RangeError);
    expect(payOwed(owingState, 5n)).toMatchObject({ free: 0n, owed: 5n });
  });

  test("owed money is recalled from venues immediately, and stock is sold if necessary", () => {
    const owingState = addOwed(stockedState, 50_000n * usdt);
    const first = stepEngine(
      crossPool,
      "realistic",
      owingState,
      atBothVenues(t0, calmBook, calmBook),
    );
    expect(first.state.free).toBe(40_000n * usdt);
    expect(first.decision?.purpose).toBe("raise");
    const second = stepEngine(
      crossPool,
      "realistic",
      first.state,
      atBothVenues(t0 + 1_000, calmBook, calmBook),
    );
    expect(second.state.free).toBe(50_000n * usdt);
    const paidState = payOwed(second.state, 50_000n * usdt);
    expect([paidState.free, paidState.owed]).toEqual([0n, 0n]);
    expect(() => payOwed(paidState, 1n)).toThrow(RangeError);
  });

  test("buy and hold buys once and then does nothing", () => {
    let state = payIn(createState(), 10_000n * usdt);
    const purposes: string[] = [];
    for (let i = 0; i < 40; i += 1) {
      const moment = createMoment(minute + i * 60_000, { "north/BTC/USDT": calmBook });
      const result = stepEngine(holdPool, "realistic", state, moment);
      ({ state } = result);
      if (result.decision) purposes.push(result.decision.purpose);
    }
    expect(purposes).toEqual(["stock"]);
    expect(computeTotal(holdPool, state, "USDT") < 100n * usdt).toBe(true);
  });
});

test("assets are valued at the index, rounded down, and have no value in a gap", () => {
  const state: PoolState = { ...createState(7n), held: { "north/BTC": 3n } };
  const moment = (index: bigint | null) => createMoment(t0, {}, { "BTC/USDT": index });
  // 3 satoshi at 28 123.45 are 843.7035 minor units of pUSDT.
  expect(computeAssetsWorth(crossPool, state, moment(2_812_345n))).toBe(850n);
  expect(computeAssetsWorth(crossPool, state, moment(null))).toBeNull();
});
