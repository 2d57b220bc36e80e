import { describe, expect, test } from "vitest";
import { scaleDecimal } from "./decimal.ts";
import { bookDepth, type ObservedBook, validateBook } from "./observedBook.ts";
import { comparePrices } from "./plausible.ts";
import { updateDelay, type VenueDelay } from "./venueDelay.ts";

describe("scaleDecimal", () => {
  test.each([
    [64_123.4, 2, "down", 6_412_340n],
    [0.1234567, 6, "down", 123_456n],
    [0.1234567, 6, "up", 123_457n],
    [0.123456, 6, "up", 123_456n],
    [1e-7, 6, "down", 0n],
    [1e-7, 6, "up", 1n],
    [1.5e21, 2, "down", 150_000_000_000_000_000_000_000n],
    [0.1 + 0.2, 1, "down", 3n],
    [-1, 2, "down", null],
    [Number.NaN, 2, "down", null],
    [Number.POSITIVE_INFINITY, 2, "up", null],
  ] as const)("%d at scale %i, rounded %s, is %s", (value, scale, direction, expected) => {
    expect(scaleDecimal(value, scale, direction)).toBe(expected);
  });
});

const secondMs = 1_000_000;
const validBook: ObservedBook = {
  bids: [[99.5, 1]],
  asks: [[100.5, 2]],
  changedMs: secondMs - 100,
  heardMs: secondMs - 50,
  lateMs: 0,
};

describe("a book at the end of a second", () => {
  test("a book is as old as its connection's last message", () => {
    const validated = validateBook({ ...validBook, changedMs: secondMs - 30_000 }, 2, secondMs);
    expect(validated).toEqual({
      fault: null,
      quote: { bid: 9_950n, ask: 10_050n, atMs: secondMs - 50, maxAgeMs: 5_000 },
      book: {
        bids: [{ price: 9_950n, size: 100_000_000n }],
        asks: [{ price: 10_050n, size: 200_000_000n }],
      },
    });
  });

  test.each([
    ["silent", { heardMs: secondMs - 5_001 }],
    ["unchanged", { changedMs: secondMs - 60_001 }],
    ["late", { lateMs: 5_001 }],
    ["empty", { bids: [] }],
    ["empty", { asks: [[100.5, 0]] }],
    ["crossed", { bids: [[100.5, 1]] }],
    ["crossed", { bids: [[101, 1]] }],
  ] as [string, Partial<ObservedBook>][])("a book is rejected as %s: %o", (fault, change) => {
    expect(validateBook({ ...validBook, ...change }, 2, secondMs).fault).toBe(fault);
  });

  test.each([
    { heardMs: secondMs - 5_000 },
    { changedMs: secondMs - 60_000 },
    { lateMs: 5_000 },
  ])("a book at the limit is accepted: %o", (change) => {
    expect(validateBook({ ...validBook, ...change }, 2, secondMs).fault).toBeNull();
  });

  test("levels finer than the scale are merged, bids rounded down and asks up", () => {
    const fineBook = {
      bids: [
        [0.1234567, 1],
        [0.1234564, 2],
        [0.12, 3],
      ],
      asks: [[0.1234571, 1]],
    };
    const validated = validateBook(
      { ...validBook, ...fineBook } as unknown as ObservedBook,
      6,
      secondMs,
    );
    expect(validated.book).toEqual({
      bids: [
        { price: 123_456n, size: 300_000_000n },
        { price: 120_000n, size: 300_000_000n },
      ],
      asks: [{ price: 123_458n, size: 100_000_000n }],
    });
  });

  test("a book keeps only the depth that hosting uses", () => {
    const bids = Array.from({ length: 30 }, (_, index) => [99 - index, 1] as const);
    expect(validateBook({ ...validBook, bids }, 2, secondMs).book?.bids).toHaveLength(bookDepth);
  });
});

describe("a venue's delay", () => {
  const knownDelay: VenueDelay = { usualMs: 30_000, lateMs: 0, lateSinceMs: null, atMs: 0 };
  test.each([
    ["a first one is usual", null, 30_000, 30_000, 0],
    ["a constant one is not late", knownDelay, 30_020, 30_001, 19],
    ["a greater one is late, and not usual", knownDelay, 39_001, 30_001, 9_000],
    ["a smaller one is usual at once", knownDelay, -5, -5, 0],
    ["a leap of more than ten minutes is the clock's", knownDelay, 630_002, 630_002, 0],
    ["a leap of ten minutes is not", knownDelay, 630_001, 30_001, 600_000],
    ["a leap back is the clock's", knownDelay, -570_000, -570_000, 0],
  ])("%s", (_, before, delayMs, usualMs, lateMs) => {
    expect(updateDelay(before, delayMs, 1_000)).toMatchObject({ usualMs, lateMs, atMs: 1_000 });
  });

  test("setting the clock of a punctual venue does not make it late", () => {
    const slow = { ...knownDelay, lateMs: 4_000 };
    expect(updateDelay(slow, 3_630_000, 1_000)).toMatchObject({ usualMs: 3_630_000, lateMs: 0 });
  });

  const lateDelay: VenueDelay = { usualMs: 0, lateMs: 8_000, lateSinceMs: 0, atMs: 0 };
  test("a late venue whose clock is set stays late for 30 s at most", () => {
    expect(updateDelay(lateDelay, 3_608_000, 30_000)).toMatchObject({
      usualMs: 3_600_000,
      lateMs: 8_000,
    });
    expect(updateDelay(lateDelay, 3_608_000, 30_001)).toMatchObject({
      usualMs: 3_608_000,
      lateMs: 0,
    });
  });

  test("a delay that lasts more than ten minutes becomes the usual one", () => {
    expect(updateDelay(lateDelay, 8_000, 600_000)).toMatchObject({ usualMs: 600, lateSinceMs: 0 });
    expect(updateDelay(lateDelay, 8_000, 600_001)).toMatchObject({
      usualMs: 8_000,
      lateSinceMs: null,
    });
  });
});

describe("comparePrices", () => {
  const toPrices = (mid: bigint | null) => (mid === null ? null : { bid: mid - 1n, ask: mid + 1n });
  test.each([
    [
      "a decimal shift at one of two venues is implausible",
      [1_000n, 10_000n],
      1_010n,
      [null, "implausible"],
    ],
    ["exactly double the reference is plausible", [1_000n, 2_000n], 1_000n, [null, null]],
    ["less than half the reference is implausible", [1_000n, 499n], 1_000n, [null, "implausible"]],
    [
      "three venues without a reference are compared with their median",
      [1_000n, 10n, 1_001n],
      null,
      [null, "implausible", null],
    ],
    [
      "two contradicting venues without a reference are both implausible",
      [1_000n, 10n],
      null,
      ["implausible", "implausible"],
    ],
    ["a single venue without a reference is plausible", [1_000n, null], null, [null, null]],
    [
      "a price 3 % from the median is kept",
      [10_000n, 10_300n, 9_990n],
      10_000n,
      [null, null, null],
    ],
    [
      "a price further from the median is excluded from the index",
      [10_000n, 10_301n, 9_990n],
      10_000n,
      [null, "far", null],
    ],
  ] as [
    string,
    (bigint | null)[],
    bigint | null,
    unknown[],
  ][])("%s", (_, mids, reference, expected) => {
    expect(comparePrices(mids.map(toPrices), reference)).toEqual(expected);
  });
});
