import { expect, test } from "vitest";
import { findLookAlike } from "#core/addresses/lookAlike.ts";

const savedAddress = "peth1abcdqqqqqqqqqqqqqqqqqqqqqqqqwxyz";

test.each([
  [
    "the same first and last four characters match",
    "peth1abcdzzzzzzzzzzzzzzzzzzzzzzzzwxyz",
    savedAddress,
  ],
  ["the same ends on another network match", "ptron1abcdzzzzzzzzzzzzzzzzzzzzzzwxyz", savedAddress],
  ["itself", savedAddress, null],
  ["a different beginning does not match", "peth1abceqqqqqqqqqqqqqqqqqqqqqqqqwxyz", null],
  ["a different end does not match", "peth1abcdqqqqqqqqqqqqqqqqqqqqqqqqwxyq", null],
])("%s", (_title, address, expected) => {
  expect(findLookAlike(address, ["pbtc1qqqqqqqqqqqqqqqq", savedAddress])).toBe(expected);
});

test("a known address is never a look-alike of another known address", () => {
  const lookAlike = "peth1abcdzzzzzzzzzzzzzzzzzzzzzzzzwxyz";
  expect(findLookAlike(lookAlike, [savedAddress, lookAlike])).toBeNull();
});
