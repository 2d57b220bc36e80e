import { expect, it } from "vitest";
import { getGestureOwner } from "./gestures.ts";

it.each([
  ["a small move has no direction yet", 3, 4, "open"],
  ["a vertical drag scrolls the page", 4, -20, "page"],
  ["a horizontal drag moves the chart", -20, 4, "chart"],
  ["a drag at 45 degrees moves the chart", 10, 10, "chart"],
] as const)("%s", (_, dx, dy, owner) => {
  expect(getGestureOwner(dx, dy)).toBe(owner);
});
