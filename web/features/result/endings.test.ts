import { expect, test } from "vitest";
import { waterOf } from "./endings.ts";

test("a win and a loss move the water as far, in opposite directions", () => {
  expect(waterOf("won")).toBeLessThan(0);
  expect(waterOf("lost")).toBe(-waterOf("won"));
});

test.each(["tie", "void"] as const)("a %s moves nothing", (outcome) => {
  expect(waterOf(outcome)).toBe(0);
});
