import { expect, test } from "vitest";
import { type MarketSymbol, symbolNames } from "#core/market/symbols.ts";
import { createMoment } from "./run/moments.ts";

const index = Object.fromEntries(symbolNames.map((name) => [name, null])) as Record<
  MarketSymbol,
  null
>;

test.each([
  [1_000_000, 1_000_000],
  [999_997.309, 1_000_000],
  [999_000.5, 1_000_000],
  [999_000, 999_000],
  [997_123.457, 997_123],
])("a live book received at %f ms belongs to second 1000000 if received within it", (atMs, expected) => {
  const second = {
    secondMs: 1_000_000,
    quotes: [[{ bid: 1n, ask: 2n, atMs, maxAgeMs: 5_000 }]],
    index,
    bookOf: () => null,
  };
  expect(createMoment(second, ["kraken"], ["BTC/USD"]).book("kraken", "BTC/USD")?.atMs).toBe(
    expected,
  );
});
