import { expect, test } from "vitest";
import { mergeNewest } from "./mergeNewest.ts";
import { sumDecimals } from "./sumDecimals.ts";

const page = (ids: string, next: string | null = null) => ({
  items: ids.split("").map((journal_id) => ({ journal_id })),
  next,
});
const getIds = ({ items }: { items: readonly { journal_id: string }[] }) =>
  items.map(({ journal_id: id }) => id).join("");

test.each([
  ["an empty list takes the newest page", "", null, "cba", "n", "cba", "n"],
  ["one new record is put on top", "cbaxy", "old", "dcb", "n", "dcbaxy", "old"],
  ["an unchanged page keeps the list", "cba", "old", "cba", "n", "cba", "n"],
  ["a page without overlap replaces the list", "cba", "old", "zyx", "n", "zyx", "n"],
])("%s", (_title, loaded, loadedNext, newest, next, expected, expectedNext) => {
  const merged = mergeNewest(page(loaded, loadedNext), page(newest, next));
  expect([getIds(merged), merged.next]).toEqual([expected, expectedNext]);
});

test.each([
  [["-1", "-0.000001"], "pUSDT", -1_000_001n],
  [["0.5", "-0.5"], "pBTC", 0n],
  [["10000"], "pETH", 10_000_000_000_000n],
  [[], "pUSDC", 0n],
] as const)("the sum of %j in %s is %s", (amounts, coin, expected) => {
  expect(sumDecimals(amounts, coin)).toBe(expected);
});
