import { expect, test } from "vitest";
import type { Balance } from "#api/wallet.ts";
import { valueBalances } from "./liveWorth.ts";

const balance = (coin: Balance["coin"], available: string, held = "0"): Balance => ({
  coin,
  scale: 0,
  available,
  held,
  value: null,
});
const prices = { "BTC/USDT": "28123.45", "ETH/USDT": "1800.00", "USDC/USDT": null };

test("each worth includes held amounts and is rounded down, and the total is their sum", () => {
  const { items, total } = valueBalances(
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

test("a positive balance without a price leaves no total", () => {
  expect(valueBalances([balance("pUSDC", "1")], "pUSDT", prices).total).toBeNull();
  expect(valueBalances([balance("pUSDC", "0")], "pUSDT", prices).total).toBe(0n);
  expect(valueBalances([balance("pUSDC", "1")], "pUSDC", prices).total).toBe(1_000_000n);
});
