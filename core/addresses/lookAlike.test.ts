import { expect, test } from "vitest";
import { lookAlikeOf } from "#core/addresses/lookAlike.ts";

const known = "peth1abcdqqqqqqqqqqqqqqqqqqqqqqqqwxyz";

test.each([
  ["the same first and last four", "peth1abcdzzzzzzzzzzzzzzzzzzzzzzzzwxyz", known],
  ["the same ends on another network", "ptron1abcdzzzzzzzzzzzzzzzzzzzzzzwxyz", known],
  ["itself", known, null],
  ["another beginning", "peth1abceqqqqqqqqqqqqqqqqqqqqqqqqwxyz", null],
  ["another end", "peth1abcdqqqqqqqqqqqqqqqqqqqqqqqqwxyq", null],
])("%s", (_title, address, expected) => {
  expect(lookAlikeOf(address, ["pbtc1qqqqqqqqqqqqqqqq", known])).toBe(expected);
});

test("an address that is in use is not a look-alike of another one in use", () => {
  const twin = "peth1abcdzzzzzzzzzzzzzzzzzzzzzzzzwxyz";
  expect(lookAlikeOf(twin, [known, twin])).toBeNull();
});
