import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { divideDown, divideHalfEven, divideUp } from "#core/money/rounding.ts";

test.each<[bigint, bigint, bigint, bigint, bigint]>([
  [0n, 3n, 0n, 0n, 0n],
  [6n, 3n, 2n, 2n, 2n],
  [7n, 3n, 2n, 3n, 2n],
  [8n, 3n, 2n, 3n, 3n],
  [5n, 2n, 2n, 3n, 2n],
  [7n, 2n, 3n, 4n, 4n],
  [1n, 2n, 0n, 1n, 0n],
  [3n, 2n, 1n, 2n, 2n],
])("%s / %s is %s down, %s up, %s half to even", (numerator, denominator, down, up, even) => {
  expect(divideDown(numerator, denominator)).toBe(down);
  expect(divideUp(numerator, denominator)).toBe(up);
  expect(divideHalfEven(numerator, denominator)).toBe(even);
});

test.each([
  [-1n, 2n],
  [1n, 0n],
  [1n, -2n],
])("%s / %s throws", (numerator, denominator) => {
  for (const divide of [divideDown, divideUp, divideHalfEven]) {
    expect(() => divide(numerator, denominator)).toThrow(RangeError);
  }
});

test("the three roundings agree on exact quotients and differ by at most one otherwise", () => {
  const numerator = fc.bigInt({ min: 0n, max: 10n ** 40n });
  const denominator = fc.bigInt({ min: 1n, max: 10n ** 20n });
  fc.assert(
    fc.property(numerator, denominator, (n, d) => {
      const [down, halfEven, up] = [divideDown(n, d), divideHalfEven(n, d), divideUp(n, d)];
      expect(up - down).toBe(n % d === 0n ? 0n : 1n);
      expect(halfEven === down || halfEven === up).toBe(true);
      const error = 2n * (halfEven * d - n);
      expect((error < 0n ? -error : error) <= d).toBe(true);
    }),
  );
});

describe("the examples of the rules", () => {
  test("a fee of 100 bp on 100 pUSDT is 1, rounded up", () => {
    expect(divideUp(100_000_000n * 100n, 10_000n)).toBe(1_000_000n);
    expect(divideUp(1n * 100n, 10_000n)).toBe(1n);
  });

  test("the mean 23 123.491666… of six samples is 23 123.49 at the index's scale", () => {
    const samples = [45n, 50n, 50n, 51n, 50n, 49n].map((cents) => 2_312_300n + cents);
    expect(
      divideHalfEven(
        samples.reduce((a, b) => a + b),
        6n,
      ),
    ).toBe(2_312_349n);
  });

  test("1 000 pUSDT at 28 123.45 pays fee 1, rate 28 151.58 and receives 0.03548646 pBTC", () => {
    const amount = 1_000_000_000n;
    const fee = divideUp(amount * 10n, 10_000n);
    const rate = divideUp(2_812_345n * 10_010n, 10_000n);
    const received = divideDown((amount - fee) * 10n ** BigInt(2 + 8), rate * 10n ** 6n);
    expect([fee, rate, received]).toEqual([1_000_000n, 2_815_158n, 3_548_646n]);
  });
});
