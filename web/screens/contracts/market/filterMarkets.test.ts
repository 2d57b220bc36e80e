import { expect, it } from "vitest";
import { filterMarkets } from "./filterMarkets.ts";

const items = (["BTC/USDT", "ETH/USDT", "USDC/USDT"] as const).map((symbol) => ({ symbol }));

it.each([
  ["", 3],
  ["btc", 1],
  ["BTC usdt", 1],
  ["btc-usdt", 1],
  ["usd", 3],
  ["doge", 0],
])("%s finds %i markets", (input, count) => {
  expect(filterMarkets(items, input)).toHaveLength(count);
});
