import { expect, it } from "vitest";
import { moveSince } from "./moveSince.ts";

it.each([
  ["a rise", "100.00", "112.40", { text: "12.40", sign: 1 }],
  ["a fall", "100.00", "99.99", { text: "-0.01", sign: -1 }],
  ["no move", "100.00", "100.00", { text: "0.00", sign: 0 }],
  ["no loss of digits that a float would have", "0.10", "0.30", { text: "0.20", sign: 1 }],
  ["nothing before there is an entry", null, "1.00", null],
  ["nothing in a gap", "1.00", null, null],
] as const)("%s", (_, purchase, price, move) => {
  expect(moveSince(purchase, price, 2)).toEqual(move);
});
