import { expect, it } from "vitest";
import { computeMove } from "./computeMove.ts";

it.each([
  ["a rise is positive", "100.00", "112.40", { text: "12.40", sign: 1 }],
  ["a fall is negative", "100.00", "99.99", { text: "-0.01", sign: -1 }],
  ["equal prices have no sign", "100.00", "100.00", { text: "0.00", sign: 0 }],
  ["decimals are subtracted exactly", "0.10", "0.30", { text: "0.20", sign: 1 }],
  ["a missing entry gives no move", null, "1.00", null],
  ["a gap gives no move", "1.00", null, null],
] as const)("%s", (_, purchase, price, move) => {
  expect(computeMove(purchase, price, 2)).toEqual(move);
});
