import { describe, expect, it } from "vitest";
import { findReplacedTier, pickTier } from "./tiers.ts";

const tiers = (left: readonly (number | null)[]) =>
  left.map((orders_left_today, i) => ({ seconds: (i + 1) * 60, orders_left_today }));

describe("pickTier", () => {
  it.each([
    ["the first tier is the default", [5, null, null], null, 60],
    ["a chosen tier with orders left is kept", [1, 3, null], 120, 120],
    ["a tier that is no longer offered is replaced by the first", [1, null, null], 999, 60],
    ["a used-up tier is replaced by the next longer one", [0, null, null], null, 120],
    ["two used-up tiers are skipped", [0, 0, null], 60, 180],
    ["a used-up longest tier wraps around to the first", [2, null, 0], 180, 60],
    ["the chosen tier is kept if all are used up", [0, 0, 0], 120, 120],
  ] as const)("%s", (_, left, chosenSeconds, seconds) => {
    expect(pickTier(tiers(left), chosenSeconds)?.seconds).toBe(seconds);
  });

  it("an empty list yields no tier", () => {
    expect(pickTier([], 60)).toBeUndefined();
  });
});

describe("findReplacedTier", () => {
  it.each([
    ["a tier with orders left is not replaced", [5, null], null, undefined],
    ["returns the used-up tier that was replaced", [0, null], null, 60],
    ["returns the chosen tier when it is used up", [3, 0, null], 120, 120],
    ["returns nothing when every tier is used up", [0, 0], 60, undefined],
  ] as const)("%s", (_, left, chosenSeconds, seconds) => {
    expect(findReplacedTier(tiers(left), chosenSeconds)?.seconds).toBe(seconds);
  });
});
