import fc from "fast-check";
import { expect, test } from "vitest";
import { computeGivenFor, type IndexAt, quoteExchange } from "#core/exchange/exchange.ts";
import type { MarketSymbol } from "#core/market/symbols.ts";
import { coinCodes } from "#core/money/coins.ts";

const prices: Partial<Record<MarketSymbol, bigint>> = {
  "BTC/USDT": 2_812_345n,
  "ETH/USDT": 180_012n,
  "USDC/USDT": 99_987n,
};
const indexAt: IndexAt = (symbol) => prices[symbol] ?? null;

test("the amount computed for what is to be received brings it, and one minor unit less does not", () => {
  const coins = fc.constantFrom(...coinCodes);
  fc.assert(
    fc.property(coins, coins, fc.bigInt(1n, 10_000_000_000n), (from, to, received) => {
      fc.pre(from !== to);
      const amount = computeGivenFor({ from, to, received }, indexAt)!;
      const quote = quoteExchange({ from, to, given: amount }, indexAt);
      fc.pre(quote.ok || quote.error !== "over_limit");
      const less = quoteExchange({ from, to, given: amount - 1n }, indexAt);
      return (
        quote.ok && quote.quote.received >= received && (!less.ok || less.quote.received < received)
      );
    }),
  );
});

test("0.03548646 pBTC cost 1 000 pUSDT at 28 123.45, to the minor unit of pBTC", () => {
  const amount = computeGivenFor({ from: "pUSDT", to: "pBTC", received: 3_548_646n }, indexAt)!;
  expect(amount).toBeLessThanOrEqual(1_000_000_000n);
  expect(1_000_000_000n - amount).toBeLessThan(282n);
});

test.each([
  ["the same coin", { from: "pBTC", to: "pBTC", received: 1n }, indexAt],
  ["nothing", { from: "pUSDT", to: "pBTC", received: 0n }, indexAt],
  ["a gap of the index", { from: "pUSDT", to: "pBTC", received: 1n }, () => null],
  ["more than a posting moves", { from: "pUSDT", to: "pBTC", received: 10n ** 17n }, indexAt],
] as const)("there is no amount for %s", (_title, exchange, indexes) => {
  expect(computeGivenFor(exchange, indexes)).toBeNull();
});
