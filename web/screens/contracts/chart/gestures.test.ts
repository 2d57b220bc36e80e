import { expect, it } from "vitest";
import { ownerOf } from "./gestures.ts";

it.each([
  ["a finger that hardly moved has no direction yet", 3, 4, "open"],
  ["an upright drag scrolls the page", 4, -20, "page"],
  ["a level drag moves the chart", -20, 4, "chart"],
  ["a drag at exactly half a right angle moves the chart", 10, 10, "chart"],
] as const)("%s", (_, dx, dy, owner) => {
  expect(ownerOf(dx, dy)).toBe(owner);
});
