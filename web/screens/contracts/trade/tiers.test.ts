import { describe, expect, it } from "vitest";
import { tierFor } from "./tiers.ts";

const tiers = (left: readonly (number | null)[]) =>
  left.map((orders_left_today, i) => ({ seconds: (i + 1) * 60, orders_left_today }));

describe("tierFor", () => {
  it.each([
    ["before a choice it is the first", [5, null, null], null, 60],
    ["a chosen tier with orders left stays", [1, 3, null], 120, 120],
    ["a tier that is no longer sold gives way to the first", [1, null, null], 999, 60],
    ["a used-up tier gives way to the next longer one", [0, null, null], null, 120],
    ["and to the one after if that is used up too", [0, 0, null], 60, 180],
    ["past the longest it starts over", [2, null, 0], 180, 60],
    ["with none left the chosen one stays", [0, 0, 0], 120, 120],
  ] as const)("%s", (_, left, chosen, seconds) => {
    expect(tierFor(tiers(left), chosen)?.seconds).toBe(seconds);
  });

  it("without tiers there is none", () => {
    expect(tierFor([], 60)).toBeUndefined();
  });
});
