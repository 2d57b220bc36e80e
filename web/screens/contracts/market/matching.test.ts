import { expect, it } from "vitest";
import { matching } from "./matching.ts";

const items = (["BTC/USDT", "ETH/USDT", "USDC/USDT"] as const).map((symbol) => ({ symbol }));

it.each([
  ["", 3],
  ["btc", 1],
  ["BTC usdt", 1],
  ["btc-usdt", 1],
  ["usd", 3],
  ["doge", 0],
])("%s finds %i markets", (input, count) => {
  expect(matching(items, input)).toHaveLength(count);
});
