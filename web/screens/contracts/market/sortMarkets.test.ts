import { expect, it } from "vitest";
import { getNextSort, type MarketSort, type SortColumn, sortMarkets } from "./sortMarkets.ts";

const items = [
  { symbol: "BTC/USDT", price: "60000.10", change_24h_bp: -120, volume_24h: "12.5" },
  { symbol: "BNB/USDT", price: "0.4", change_24h_bp: null, volume_24h: null },
  { symbol: "ETH/USDT", price: null, change_24h_bp: 30, volume_24h: "900" },
  { symbol: "XRP/USDT", price: "9.1", change_24h_bp: 250, volume_24h: "1000" },
] as const;

it.each<[MarketSort, string]>([
  ["listed", "BTC BNB ETH XRP"],
  ["name", "BNB BTC ETH XRP"],
  ["name-down", "XRP ETH BTC BNB"],
  ["price-down", "BTC XRP BNB ETH"],
  ["price", "BNB XRP BTC ETH"],
  ["change-down", "XRP ETH BTC BNB"],
  ["change", "BTC ETH XRP BNB"],
  ["volume-down", "XRP ETH BTC BNB"],
  ["volume", "BTC ETH XRP BNB"],
])("sorting by %s compares figures as numbers and puts missing ones last", (sort, expected) => {
  const names = sortMarkets([...items], sort).map(({ symbol }) => symbol.slice(0, 3));
  expect(names.join(" ")).toBe(expected);
});

it.each<[SortColumn, MarketSort[]]>([
  ["name", ["name", "name-down", "listed"]],
  ["change", ["change-down", "change", "listed"]],
])("presses on %s sort in one direction, then the other, then in the listed order", (column, expected) => {
  let sort: MarketSort = "price";
  for (const next of expected) {
    sort = getNextSort(sort, column);
    expect(sort).toBe(next);
  }
});
