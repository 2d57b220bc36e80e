import { expect, test } from "vitest";
import { computeWaterOffset } from "./endings.ts";

test("a win and a loss move the water equally in opposite directions", () => {
  expect(computeWaterOffset("won")).toBeLessThan(0);
  expect(computeWaterOffset("lost")).toBe(-computeWaterOffset("won"));
});

test.each(["tie", "void"] as const)("a %s does not move the water", (outcome) => {
  expect(computeWaterOffset(outcome)).toBe(0);
});
