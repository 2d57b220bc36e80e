import { expect, test } from "vitest";
import { countOrdersLeft } from "./ordersLeft.ts";

test.each([
  ["a new day starts with all orders", 5, 0, 5],
  ["each order uses one", 5, 3, 2],
  ["no orders are left at the limit", 5, 5, 0],
  ["stricter terms leave none rather than a negative number", 2, 5, 0],
  ["a tier without a limit has no remaining count", null, 5, null],
] as const)("%s", (_, ordersPerDay, placed, left) => {
  expect(countOrdersLeft({ ordersPerDay }, placed)).toBe(left);
});
