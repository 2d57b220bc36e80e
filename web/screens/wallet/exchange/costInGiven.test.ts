import { expect, test } from "vitest";
import { computeCostInGiven } from "./costInGiven.ts";

test.each([
  ["2 of 1,000 given", "1000", "0.00816233", "0.00001633", "2.000655"],
  ["a cost is rounded up", "3", "0.00003", "0.00000001", "0.001"],
  ["a zero cost stays zero", "1000", "0.00816233", "0", "0"],
  ["a zero worth at the index gives zero", "0.000001", "0", "0", "0"],
])("%s", (_title, amount, atIndex, cost, expected) => {
  expect(
    computeCostInGiven({ from: "pUSDT", to: "pBTC", given: amount, at_index: atIndex, cost }),
  ).toBe(expected);
});
