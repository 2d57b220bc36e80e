import { expect, test } from "vitest";
import { changePrice, toFigures } from "./figures.ts";

test("the fees of 144 blocks are 144 times their mean", () => {
  const figures = toFigures({ height: 1, difficulty: "2", mean_fee: "0.25" });
  expect(figures).toEqual({ height: 1, difficulty: 2n, feeSum: 3_600_000_000n });
});

test("a price is lowered or raised by whole percents", () => {
  expect(changePrice(10_000n, -30)).toBe(7_000n);
});
