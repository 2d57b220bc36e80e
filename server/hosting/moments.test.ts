import { expect, test } from "vitest";
import { momentOf } from "./run/moments.ts";

test.each([
  [1_000_000, 1_000_000],
  [999_997.309, 1_000_000],
  [999_000.5, 1_000_000],
  [999_000, 999_000],
  [997_123.457, 997_123],
])("a live book of %f ms is of the second 1000000 if it was heard of within it", (atMs, expected) => {
  const second = {
    secondMs: 1_000_000,
    quotes: [[{ bid: 1n, ask: 2n, atMs, maxAgeMs: 5_000 }]],
    index: {},
    bookOf: () => null,
  };
  expect(momentOf(second, ["kraken"], ["BTC/USD"]).book("kraken", "BTC/USD")?.atMs).toBe(expected);
});
