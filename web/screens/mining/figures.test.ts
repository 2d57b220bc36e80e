import { expect, test } from "vitest";
import { changedPrice, figuresOf, minorOf } from "./figures.ts";

test.each([
  ["12.5", 6, 12_500_000n],
  ["-0.344929", 6, -344_929n],
  ["97374.26", 2, 9_737_426n],
  ["86388558925171.25", 0, 86_388_558_925_171n],
] as const)("%s at scale %i is %s", (text, scale, value) => {
  expect(minorOf(text, scale)).toBe(value);
});

test("the fees of 144 blocks are 144 times their mean", () => {
  const figures = figuresOf({ height: 1, difficulty: "2", mean_fee: "0.25" });
  expect(figures).toEqual({ height: 1, difficulty: 2n, feeSum: 3_600_000_000n });
});

test("a price changes by whole percent", () => {
  expect(changedPrice(10_000n, -30)).toBe(7_000n);
});
