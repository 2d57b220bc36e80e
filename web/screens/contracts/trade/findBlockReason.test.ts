import { expect, it } from "vitest";
import { findBlockReason } from "./findBlockReason.ts";

const free = {
  isOnline: true,
  isPaused: false,
  isClassPaused: false,
  price: "1.00",
  ordersLeft: null,
};

it.each([
  ["an order is possible by default", {}, null],
  ["being offline blocks orders", { isOnline: false }, "offline"],
  ["a recording that has ended blocks orders", { isPaused: true }, "paused"],
  ["a class that is paused blocks orders", { isClassPaused: true }, "classPaused"],
  ["a second without a price blocks orders", { price: null }, "noPrice"],
  ["a used-up tier blocks orders", { ordersLeft: 0 }, "usedUp"],
  ["one order left does not block", { ordersLeft: 1 }, null],
  ["offline takes precedence over a missing price", { isOnline: false, price: null }, "offline"],
] as const)("%s", (_, state, reason) => {
  expect(findBlockReason({ ...free, ...state })).toBe(reason);
});
