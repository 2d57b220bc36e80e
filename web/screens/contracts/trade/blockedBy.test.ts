import { expect, it } from "vitest";
import { blockedBy } from "./blockedBy.ts";

const free = { isOnline: true, isPaused: false, price: "1.00", ordersLeft: null };

it.each([
  ["nothing stands in the way", {}, null],
  ["without a connection no order can be sent", { isOnline: false }, "offline"],
  ["a recording that has ended takes no orders", { isPaused: true }, "paused"],
  ["a second without a price takes no orders", { price: null }, "noPrice"],
  ["all orders of the day are placed", { ordersLeft: 0 }, "usedUp"],
  ["one order left is enough", { ordersLeft: 1 }, null],
  [
    "offline is said first: the rest may be out of date",
    { isOnline: false, price: null },
    "offline",
  ],
] as const)("%s", (_, state, reason) => {
  expect(blockedBy({ ...free, ...state })).toBe(reason);
});
