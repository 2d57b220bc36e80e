import { expect, test } from "vitest";
import { decideOutcome, settlementPrice } from "./settlement.ts";

/** docs/rules/contracts.md, rules 3 and 4, at their edges. */
const samples = (count: number, price = 100n) => Array.from({ length: count }, () => price);

test.each([
  [10, 8, 100n],
  [10, 7, null],
  [60, 48, 100n],
  [60, 47, null],
])("the price of a window of %i seconds with %i samples is %s", (seconds, present, price) => {
  expect(settlementPrice(samples(present), seconds)).toBe(price);
});

test("the lowest and highest fifth are dropped, and a half rounds to even", () => {
  expect(settlementPrice([1n, 1n, ...samples(6), 900n, 900n], 10)).toBe(100n);
  expect(settlementPrice([0n, 0n, ...samples(3, 100n), ...samples(3, 101n), 900n, 900n], 10)).toBe(
    100n,
  );
  expect(settlementPrice([0n, 0n, ...samples(3, 101n), ...samples(3, 102n), 900n, 900n], 10)).toBe(
    102n,
  );
});

test.each([
  ["exactly the range wins", 10_010n, "won"],
  ["less than the range ties", 10_009n, "tie"],
  ["exactly the range downwards loses", 9_990n, "lost"],
])("a move of %s", (_title, selling, outcome) => {
  const order = { direction: "up", stake: "1000", fee: "10", range_bp: 10, rate_bp: 9_000 };
  expect(decideOutcome(order, 10_000n, selling).outcome).toBe(outcome);
});
