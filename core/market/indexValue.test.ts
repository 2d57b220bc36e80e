import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { freshQuotes, indexValue } from "#core/market/indexValue.ts";
import { isFresh, type Quote } from "#core/market/quote.ts";

/** A quote one step wide on both sides, so that its mid is `mid`. */
const at = (mid: number) => ({ bid: BigInt(mid) - 1n, ask: BigInt(mid) + 1n });
/** A quote whose mid is half a step above `bid`. */
const halfAbove = (bid: number) => ({ bid: BigInt(bid), ask: BigInt(bid) + 1n });

describe("the index of one second", () => {
  test.each([
    ["three venues: the middle one", [at(100), at(102), at(101)], 101n],
    ["two venues: their mean", [at(100), at(104)], 102n],
    ["two venues far apart are both kept", [at(100), at(200)], 150n],
    ["two of three fresh suffice", [at(100), null, at(104)], 102n],
    ["one of three fresh is a gap", [at(100), null, null], null],
    ["none of three fresh is a gap", [null, null, null], null],
    ["nobody lists it: a gap", [], null],
    ["the only venue that lists it suffices", [at(100)], 100n],
    ["the only venue that lists it is stale: a gap", [null], null],
    ["one of two fresh is a gap", [at(100), null], null],
    [
      "exactly 3 % from the median is kept: the median of all three",
      [at(10_000), at(10_300), at(9_990)],
      10_000n,
    ],
    [
      "an outlier is dropped, and the two left are averaged",
      [at(10_000), at(10_301), at(9_990)],
      9_995n,
    ],
    [
      "an even count: outliers by the mean of the middle two",
      [at(100), at(100), at(100), at(200)],
      100n,
    ],
    ["two pairs that contradict each other: a gap", [at(100), at(100), at(200), at(200)], null],
    [
      "half a step: to the even neighbour below",
      [halfAbove(100), halfAbove(100), halfAbove(100)],
      100n,
    ],
    [
      "half a step: to the even neighbour above",
      [halfAbove(101), halfAbove(101), halfAbove(101)],
      102n,
    ],
    ["a quarter step goes down", [halfAbove(100), at(100)], 100n],
    ["three quarters go up", [halfAbove(100), at(101)], 101n],
  ])("%s", (_title, quotes, expected) => {
    expect(indexValue(quotes)).toBe(expected);
  });

  const quote = fc
    .tuple(fc.bigInt(1_000n, 10_000_000n), fc.bigInt(1n, 500n))
    .map(([bid, spread]) => ({ bid, ask: bid + spread }));
  const quotes = fc.array(fc.option(quote, { nil: null }), { maxLength: 9 });

  test("the order of venues does not matter", () => {
    fc.assert(
      fc.property(quotes, fc.infiniteStream(fc.nat()), (given, chance) => {
        const shuffled = given
          .map((one) => ({ one, key: chance.next().value }))
          .sort((a, b) => a.key - b.key)
          .map(({ one }) => one);
        expect(indexValue(shuffled)).toBe(indexValue(given));
      }),
    );
  });

  test("the index lies between the lowest and the highest mid, and a stale venue adds nothing but its place", () => {
    fc.assert(
      fc.property(quotes, (given) => {
        const value = indexValue(given);
        const fresh = given.filter((one) => one !== null);
        if (fresh.length >= 2) expect(indexValue([...given, null])).toBe(value);
        if (fresh.length < Math.min(2, given.length)) expect(value).toBeNull();
        if (value === null) return;
        const mids = fresh.map(({ bid, ask }) => bid + ask);
        const low = mids.reduce((a, b) => (b < a ? b : a));
        const high = mids.reduce((a, b) => (b > a ? b : a));
        expect(2n * value >= low - 1n && 2n * value <= high + 1n).toBe(true);
      }),
    );
  });

  test("one venue of three, whatever it says, cannot move it beyond the other two", () => {
    fc.assert(
      fc.property(fc.bigInt(10_000n, 1_000_000n), quote, (mid, liar) => {
        const near = mid + mid / 1_000n;
        const honest = [at(Number(mid)), at(Number(near))];
        const value = indexValue([...honest, liar]) as bigint;
        expect(value >= mid && value <= near).toBe(true);
      }),
    );
  });
});

describe("a quote", () => {
  const quote: Quote = { bid: 99n, ask: 101n, atMs: 10_000, maxAgeMs: 5_000 };
  test.each([
    ["stands when it is said", 10_000, true],
    ["stands after five seconds", 15_000, true],
    ["is stale a millisecond later", 15_001, false],
    ["does not stand before it is said", 9_999, false],
  ])("%s", (_title, atMs, expected) => {
    expect(isFresh(quote, atMs)).toBe(expected);
  });

  test.each([
    ["a crossed one is left out", { ...quote, bid: 102n }],
    ["one without a positive bid is left out", { ...quote, bid: 0n }],
  ])("%s", (_title, unsound) => {
    expect(freshQuotes([unsound, quote], 10_000)).toEqual([null, { bid: 99n, ask: 101n }]);
  });
});
