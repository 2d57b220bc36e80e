import { expect, test } from "vitest";
import { waterOffset } from "./endings.ts";

test("a win and a loss move the water equally in opposite directions", () => {
  expect(waterOffset("won")).toBeLessThan(0);
  expect(waterOffset("lost")).toBe(-waterOffset("won"));
});

test.each(["tie", "void"] as const)("a %s does not move the water", (outcome) => {
  expect(waterOffset(outcome)).toBe(0);
});
