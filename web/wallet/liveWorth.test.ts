import { expect, test } from "vitest";
import type { Balance } from "#api/wallet.ts";
import { shortWorth, shortWorthText, valueAt } from "./liveWorth.ts";

const balance = (coin: Balance["coin"], available: string, held = "0"): Balance => ({
  coin,
  scale: 0,
  available,
  held,
  value: null,
});
const prices = { "BTC/USDT": "28123.45", "ETH/USDT": "1800.00", "USDC/USDT": null };

test("held amounts count, each worth is rounded down, and the total is their sum", () => {
  const { items, total } = valueAt(
    [balance("pUSDT", "1.5", "0.5"), balance("pBTC", "0.00000003")],
    "pUSDT",
    prices,
  );
  expect(items.map(({ worth }) => worth)).toEqual([2_000_000n, 843n]);
  expect(total).toBe(2_000_843n);
  expect([items[0]!.symbol, items[1]!.symbol, items[1]!.price]).toEqual([
    null,
    "BTC/USDT",
    "28123.45",
  ]);
});

test("a coin that is there without a price leaves no total; one that is not there does no harm", () => {
  expect(valueAt([balance("pUSDC", "1")], "pUSDT", prices).total).toBeNull();
  expect(valueAt([balance("pUSDC", "0")], "pUSDT", prices).total).toBe(0n);
  expect(valueAt([balance("pUSDC", "1")], "pUSDC", prices).total).toBe(1_000_000n);
});

test.each([
  [2_000_843n, "pUSDT", "2"],
  [1_999_999n, "pUSDT", "1.99"],
  [35_546_46n, "pBTC", "0.035546"],
  [15_624_138_888n, "pETH", "15.62413"],
] as const)("%i of %s is shown as %s, later digits left out", (worth, display, text) => {
  expect(shortWorth(worth, display)).toBe(text);
});

test("a loss is shown no smaller than it is", () => {
  expect(shortWorth(1n, "pUSDT", "up")).toBe("0.01");
  expect(shortWorth(10_000n, "pUSDT", "up")).toBe("0.01");
});

test.each([
  ["12.349999", "12.34"],
  ["-12.340001", "-12.35"],
  ["-0.000001", "-0.01"],
  ["0", "0"],
])("a figure of %s is shown as %s: a loss no smaller, a gain no larger than it is", (text, shown) => {
  expect(shortWorthText(text, "pUSDT")).toBe(shown);
});
