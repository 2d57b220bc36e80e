import { expect, test } from "vitest";
import { type Coin, coinCodes } from "#core/money/coins.ts";
import {
  computeWorth,
  computeWorthIn,
  displayCurrency,
  type IndexOf,
  listMarketsFor,
  valuedBy,
} from "#core/wallet/valuation.ts";

const index: Record<string, bigint> = {
  "BTC/USDT": 28_123_45n,
  "ETH/USDT": 1_800_00n,
  "USDC/USDT": 99_950n,
};
const findIndex: IndexOf = (symbol) => index[symbol] ?? null;

test.each<[Coin, bigint, Coin, bigint]>([
  // 1 pBTC at 28 123.45
  ["pBTC", 100_000_000n, "pUSDT", 28_123_450_000n],
  // 28 123.45 pUSDT are exactly 1 pBTC again
  ["pUSDT", 28_123_450_000n, "pBTC", 100_000_000n],
  // one minor unit less is rounded down, never up
  ["pUSDT", 28_123_449_999n, "pBTC", 99_999_999n],
  // 1 pBTC in pETH: 28 123.45 / 1 800 = 15.624138888…
  ["pBTC", 100_000_000n, "pETH", 15_624_138_888n],
  // 1 pUSDC at 0.9995
  ["pUSDC", 1_000_000n, "pUSDT", 999_500n],
  ["pUSDT", 1_000_000n, "pUSDC", 1_000_500n],
])("%s %i in %s is %i, rounded down once", (coin, amount, display, worth) => {
  expect(computeWorthIn(coin, amount, display, findIndex)).toBe(worth);
});

test("computeWorthIn pUSDT agrees with computeWorth", () => {
  for (const coin of coinCodes) {
    const symbol = valuedBy[coin];
    for (const amount of [1n, 7n, 123_456_789n]) {
      expect(computeWorthIn(coin, amount, displayCurrency, findIndex)).toBe(
        computeWorth(coin, amount, symbol === null ? null : (index[symbol] ?? null)),
      );
    }
  }
});

test.each<[Coin, bigint, Coin, bigint | null]>([
  ["pBTC", 5n, "pBTC", 5n],
  ["pBTC", 0n, "pETH", 0n],
  ["pBTC", 1n, "pUSDT", null],
  ["pUSDT", 1n, "pBTC", null],
  ["pUSDT", 1n, "pUSDT", 1n],
])("without an index %s %i in %s is worth %s", (coin, amount, display, worth) => {
  expect(computeWorthIn(coin, amount, display, () => null)).toBe(worth);
});

test.each<[Coin[], Coin, string[]]>([
  [["pUSDT"], "pUSDT", []],
  [["pUSDT", "pBTC"], "pUSDT", ["BTC/USDT"]],
  [["pUSDT", "pBTC"], "pBTC", ["BTC/USDT"]],
  [["pBTC"], "pBTC", []],
  [["pETH", "pUSDC"], "pBTC", ["ETH/USDT", "USDC/USDT", "BTC/USDT"]],
])("%j in %s requires the markets %j", (coins, display, markets) => {
  expect(listMarketsFor(coins, display)).toEqual(markets);
});
