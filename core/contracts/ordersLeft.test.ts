import { expect, test } from "vitest";
import { ordersLeft } from "./ordersLeft.ts";

test.each([
  ["a fresh day leaves all", 5, 0, 5],
  ["each order takes one", 5, 3, 2],
  ["none are left", 5, 5, 0],
  ["terms that became stricter leave none, not less", 2, 5, 0],
  ["a tier without a limit has no number", null, 5, null],
] as const)("%s", (_, ordersPerDay, placed, left) => {
  expect(ordersLeft({ ordersPerDay }, placed)).toBe(left);
});
