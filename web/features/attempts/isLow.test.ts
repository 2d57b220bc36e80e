import { expect, test } from "vitest";
import type { Balance } from "#api/wallet.ts";
import type { Coin } from "#core/money/coins.ts";
import { isLow } from "./isLow.ts";

const balance = (
  coin: Coin,
  available: string,
  value: string | null = available,
  balance = "0",
): Balance => ({ coin, scale: 6, available, held: balance, value });

test.each<[string, Balance[], boolean]>([
  ["an empty wallet is low", [balance("pUSDT", "0"), balance("pBTC", "0")], true],
  ["just under a hundred is low", [balance("pUSDT", "99.999999")], true],
  ["a hundred is not low", [balance("pUSDT", "100")], false],
  ["everything held for a withdrawal is low", [balance("pUSDT", "0", "10000", "10000")], true],
  [
    "a coin worth enough is not low",
    [balance("pUSDT", "1"), balance("pBTC", "0.01", "1200")],
    false,
  ],
  ["a coin worth little is low", [balance("pUSDT", "1"), balance("pBTC", "0.0001", "12")], true],
  [
    "coins worth enough together are not low",
    [balance("pUSDT", "60"), balance("pUSDC", "60", "60")],
    false,
  ],
  [
    "a coin without a price is not low",
    [balance("pUSDT", "1"), balance("pBTC", "0.01", null)],
    false,
  ],
])("%s", (_title, balances, expected) => {
  expect(isLow(balances)).toBe(expected);
});
