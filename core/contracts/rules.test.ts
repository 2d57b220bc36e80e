import { describe, expect, test } from "vitest";
import { computeBinomialTailBp } from "#core/contracts/binomialTail.ts";
import {
  computeAverageCost,
  computeBreakEvenBp,
  computeCoinFlipReturnPer20000,
} from "#core/contracts/breakEven.ts";
import {
  computeFee,
  computeMoveHundredthsBp,
  decideOutcome,
  readEntry,
  settle,
} from "#core/contracts/settle.ts";
import {
  computeSettlementPrice,
  getWindowBounds,
  getWindowSeconds,
  windowLengths,
} from "./settlementWindow.ts";

const pusdt = (units: number) => BigInt(units) * 1_000_000n;
const golden = { rateBp: 9_000, feeBp: 100 };
const base = {
  direction: "up",
  stake: pusdt(100),
  fee: pusdt(1),
  rateBp: 9_000,
  rangeBp: 0,
} as const;

describe("the worked example of the rules", () => {
  test("stake 100 at rate 9 000 and fee 100 charges 101", () => {
    expect(pusdt(100) + computeFee(pusdt(100), 100)).toBe(pusdt(101));
  });
  test.each([
    ["a won order nets +89", 100n, 101n, "won", pusdt(190), pusdt(89)],
    ["a lost order nets −101", 100n, 99n, "lost", 0n, -pusdt(101)],
    ["a tie returns the stake and keeps the fee", 100n, 100n, "tie", pusdt(100), -pusdt(1)],
    ["an order without an entry price returns stake and fee", null, 99n, "void", pusdt(101), 0n],
    [
      "an order without a settlement price returns stake and fee",
      100n,
      null,
      "void",
      pusdt(101),
      0n,
    ],
  ] as const)("%s", (_title, purchase, selling, outcome, payout, net) => {
    expect(settle(base, purchase, selling)).toEqual({ outcome, payout, net });
  });
  test("break-even is 53.16 %", () => expect(computeBreakEvenBp(golden)).toBe(5_316));
  test("a coin flip costs 6 per 100 on average", () => {
    expect(computeCoinFlipReturnPer20000(golden)).toBe(18_800);
    expect(computeAverageCost(pusdt(100), golden)).toBe(pusdt(6));
  });
  test("ten samples drop two at each end and average six to the index's scale", () => {
    const cents = [
      2312345n,
      2312350n,
      2312340n,
      2312360n,
      2312390n,
      2312310n,
      2312355n,
      2312345n,
      2312351n,
      2312349n,
    ];
    const price = computeSettlementPrice(cents, 10);
    expect(price).toMatchObject({ ok: true, price: 2312349n, dropped: 2 });
    // 23 123.491666…: the sum of the six samples is not a multiple of six.
    if (price.ok) expect(price.used.reduce((sum, value) => sum + value, 0n)).toBe(13_874_095n);
  });
  test("winning 7 of 10 or more happens to 17 % of coin flippers", () =>
    expect(computeBinomialTailBp(7, 10)).toBe(1_719));
});

describe("roundings", () => {
  test.each([
    ["a fee is rounded up", computeFee(1n, 100), 1n],
    ["a fee of zero stays zero", computeFee(0n, 100), 0n],
    ["an exact fee is not rounded", computeFee(10_000n, 100), 100n],
  ])("%s", (_title, fee, expected) => expect(fee).toBe(expected));
  test("a profit is rounded down", () => {
    expect(settle({ ...base, stake: 11n, fee: 1n }, 1n, 2n).payout).toBe(11n + 9n);
  });
  test.each([
    ["a half rounds down to the even neighbour", [2n, 3n, 2n, 3n], 2n],
    ["a half rounds up to the even neighbour", [3n, 4n, 3n, 4n], 4n],
  ])("a mean on the half: %s", (_title, samples, expected) => {
    expect(computeSettlementPrice(samples, 5)).toMatchObject({ price: expected });
  });
});

describe("direction and range", () => {
  test.each([
    ["up and higher wins", "up", 0, 100n, 101n, "won"],
    ["up and lower loses", "up", 0, 100n, 99n, "lost"],
    ["down and lower wins", "down", 0, 100n, 99n, "won"],
    ["down and higher loses", "down", 0, 100n, 101n, "lost"],
    ["equal prices tie in either direction", "down", 0, 100n, 100n, "tie"],
    ["a move below the range ties", "up", 10, 100_000n, 100_099n, "tie"],
    ["a move of exactly the range wins", "up", 10, 100_000n, 100_100n, "won"],
    ["an adverse move of exactly the range loses", "up", 10, 100_000n, 99_900n, "lost"],
  ] as const)("%s", (_title, direction, rangeBp, purchase, selling, outcome) => {
    expect(decideOutcome({ direction, rangeBp }, purchase, selling)).toBe(outcome);
  });
  test("the displayed change is signed, in hundredths of a basis point", () => {
    expect(computeMoveHundredthsBp(100_000n, 99_900n)).toBe(-1_000n);
    expect(computeMoveHundredthsBp(3n, 4n)).toBe(333_333n);
  });
});

describe("samples", () => {
  const range = (count: number) => Array.from({ length: count }, (_, i) => BigInt(i + 1));
  test.each([
    ["8 of 10 are enough", 8, 10, true],
    ["7 of 10 are too few", 7, 10, false],
    ["48 of 60 are enough", 48, 60, true],
    ["47 of 60 are too few", 47, 60, false],
  ])("%s", (_title, present, seconds, ok) => {
    expect(computeSettlementPrice(range(present), seconds).ok).toBe(ok);
  });
  test("a fifth of the available samples is dropped, rounded down", () => {
    expect(computeSettlementPrice(range(8), 10)).toMatchObject({
      dropped: 1,
      used: [2n, 3n, 4n, 5n, 6n, 7n],
    });
    expect(computeSettlementPrice(range(59), 60)).toMatchObject({ dropped: 11 });
  });
  test.each([
    [60, 10],
    [299, 10],
    [300, 60],
    [86_400, 60],
  ])("a tier of %i s has a window of %i s", (tier, seconds) => {
    expect(getWindowSeconds(tier)).toBe(seconds);
  });
});

test("with delivery at 12:01:02 and W = 10 the window covers 12:00:53 to 12:01:02", () => {
  const toMs = (time: string) => Date.parse(`2026-01-05T${time}Z`);
  expect(getWindowBounds(toMs("12:01:02"), 10)).toEqual({
    opensAtMs: toMs("12:00:52"),
    fromMs: toMs("12:00:53"),
    toMs: toMs("12:01:02"),
  });
});

test("every tier uses one of the listed window lengths", () => {
  for (const seconds of [30, 60, 299, 300, 3_600, 604_800])
    expect(windowLengths).toContain(getWindowSeconds(seconds));
});

describe("entry", () => {
  test.each([
    ["the first timely value is the entry price", 1_000, 7n, { decides: true, price: 7n }],
    ["a value exactly 2 s later is timely", 2_000, 7n, { decides: true, price: 7n }],
    ["a gap within 2 s decides nothing yet", 2_000, null, { decides: false }],
    [
      "a value more than 2 s later voids the order at any price",
      2_001,
      7n,
      { decides: true, price: null },
    ],
  ] as const)("%s", (_title, afterMs, value, expected) => {
    expect(readEntry(500, { secondMs: 500 + afterMs, value })).toEqual(expected);
  });
});
