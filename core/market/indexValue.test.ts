import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { computeIndexValue, filterFreshQuotes } from "#core/market/indexValue.ts";
import { isFresh, type Quote } from "#core/market/quote.ts";

/** A quote one step wide on both sides, so that its mid is `mid`. */
const quoteAt = (mid: number) => ({ bid: BigInt(mid) - 1n, ask: BigInt(mid) + 1n });
/** A quote whose mid is half a step above `bid`. */
const halfAbove = (bid: number) => ({ bid: BigInt(bid), ask: BigInt(bid) + 1n });
const flatAt = (price: number) => ({ bid: BigInt(price), ask: BigInt(price) });

describe("the index of one second", () => {
  test.each([
    ["three venues give the middle mid", [quoteAt(100), quoteAt(102), quoteAt(101)], 101n],
    ["two venues give their mean", [quoteAt(100), quoteAt(104)], 102n],
    ["two venues far apart are both kept", [quoteAt(100), quoteAt(200)], 150n],
    ["two fresh venues of three suffice", [quoteAt(100), null, quoteAt(104)], 102n],
    ["one fresh venue of three is a gap", [quoteAt(100), null, null], null],
    ["no fresh venue of three is a gap", [null, null, null], null],
    ["a symbol that no venue lists is a gap", [], null],
    ["the only listing venue suffices", [quoteAt(100)], 100n],
    ["a stale only venue is a gap", [null], null],
    ["one fresh venue of two is a gap", [quoteAt(100), null], null],
    [
      "a mid exactly 3 % from the median is kept",
      [quoteAt(10_000), quoteAt(10_300), quoteAt(9_990)],
      10_000n,
    ],
    [
      "an outlier is dropped and the remaining two are averaged",
      [quoteAt(10_000), quoteAt(10_301), quoteAt(9_990)],
      9_995n,
    ],
    [
      "an even count measures outliers from the mean of the middle two",
      [quoteAt(100), quoteAt(100), quoteAt(100), quoteAt(200)],
      100n,
    ],
    [
      "two contradicting pairs are a gap",
      [quoteAt(100), quoteAt(100), quoteAt(200), quoteAt(200)],
      null,
    ],
    [
      "a half step rounds down to the even neighbour",
      [halfAbove(100), halfAbove(100), halfAbove(100)],
      100n,
    ],
    [
      "a half step rounds up to the even neighbour",
      [halfAbove(101), halfAbove(101), halfAbove(101)],
      102n,
    ],
    ["a quarter step rounds down", [halfAbove(100), quoteAt(100)], 100n],
    ["a quote whose ask is its bid is none", [quoteAt(100), quoteAt(102), flatAt(104)], 101n],
    ["one venue beside such a quote is a gap", [quoteAt(100), flatAt(104)], null],
    ["three quarters of a step round up", [halfAbove(100), quoteAt(101)], 101n],
  ])("%s", (_title, quotes, expected) => {
    expect(computeIndexValue(quotes)).toBe(expected);
  });

  const quote = fc
    .tuple(fc.bigInt(1_000n, 10_000_000n), fc.bigInt(1n, 500n))
    .map(([bid, spread]) => ({ bid, ask: bid + spread }));
  const quotes = fc.array(fc.option(quote, { nil: null }), { maxLength: 9 });

  test("the index does not depend on the order of venues", () => {
    fc.assert(
      fc.property(quotes, fc.infiniteStream(fc.nat()), (values, chance) => {
        const shuffled = values
          .map((item) => ({ one: item, key: chance.next().value }))
          .sort((a, b) => a.key - b.key)
          .map(({ one }) => one);
        expect(computeIndexValue(shuffled)).toBe(computeIndexValue(values));
      }),
    );
  });

  test("the index lies between the lowest and the highest mid", () => {
    fc.assert(
      fc.property(quotes, (values) => {
        const value = computeIndexValue(values);
        const freshValues = values.filter((item) => item !== null);
        if (freshValues.length >= 2) expect(computeIndexValue([...values, null])).toBe(value);
        if (freshValues.length < Math.min(2, values.length)) expect(value).toBeNull();
        if (value === null) return;
        const mids = freshValues.map(({ bid, ask }) => bid + ask);
        const low = mids.reduce((a, b) => (b < a ? b : a));
        const high = mids.reduce((a, b) => (b > a ? b : a));
        expect(2n * value >= low - 1n && 2n * value <= high + 1n).toBe(true);
      }),
    );
  });

  test("one venue of three cannot move the index beyond the other two", () => {
    fc.assert(
      fc.property(fc.bigInt(10_000n, 1_000_000n), quote, (mid, liar) => {
        const nearMid = mid + mid / 1_000n;
        const honestQuotes = [quoteAt(Number(mid)), quoteAt(Number(nearMid))];
        const value = computeIndexValue([...honestQuotes, liar]) as bigint;
        expect(value >= mid && value <= nearMid).toBe(true);
      }),
    );
  });
});

describe("freshness and soundness of a quote", () => {
  const quote: Quote = { bid: 99n, ask: 101n, atMs: 10_000, maxAgeMs: 5_000 };
  test.each([
    ["a quote is fresh at its own time", 10_000, true],
    ["a quote is fresh after five seconds", 15_000, true],
    ["a quote is stale a millisecond later", 15_001, false],
    ["a quote is not fresh before its own time", 9_999, false],
  ])("%s", (_title, atMs, expected) => {
    expect(isFresh(quote, atMs)).toBe(expected);
  });

  test.each([
    ["a crossed quote is dropped", { ...quote, bid: 102n }],
    ["a quote without a positive bid is dropped", { ...quote, bid: 0n }],
  ])("%s", (_title, unsound) => {
    expect(filterFreshQuotes([unsound, quote], 10_000)).toEqual([null, { bid: 99n, ask: 101n }]);
  });
});
