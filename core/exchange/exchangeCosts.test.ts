import fc from "fast-check";
import { expect, test } from "vitest";
import { type IndexAt, quoteExchange, worthAtIndex } from "#core/exchange/exchange.ts";
import { computeExchangeCosts } from "#core/exchange/exchangeCosts.ts";
import { sumFillCosts } from "#core/market/fillCosts.ts";
import type { MarketSymbol } from "#core/market/symbols.ts";
import { type Coin, coinCodes } from "#core/money/coins.ts";

const toIndexAt =
  (prices: Partial<Record<MarketSymbol, bigint>>): IndexAt =>
  (symbol) =>
    prices[symbol] ?? null;
const quotedIndexes = { "BTC/USDT": 2_812_345n, "ETH/USDT": 180_012n, "USDC/USDT": 99_987n };

function read(from: Coin, to: Coin, amount: bigint, indexAt: IndexAt) {
  const result = quoteExchange({ from, to, given: amount }, indexAt);
  return result.ok ? result.quote : null;
}

test("1 000 pUSDT at 28 123.45: spread and fee share the cost, and the index did not move", () => {
  const quote = read("pUSDT", "pBTC", 1_000_000_000n, toIndexAt(quotedIndexes))!;
  // 1 000 / 28 123.45 = 0.03555751, without the fee 0.03552195, received 0.03548646.
  expect(computeExchangeCosts(quote, quote.atIndex)).toEqual({
    delay: 0n,
    spread: 3_552_195n - 3_548_646n,
    slippage: 0n,
    fee: 3_555_751n - 3_552_195n,
  });
});

test("an index that rose while the quote was firm is a delay of that much", () => {
  const quote = read("pBTC", "pUSDT", 100_000_000n, toIndexAt(quotedIndexes))!;
  const worthLater = worthAtIndex(
    "pBTC",
    "pUSDT",
    100_000_000n,
    toIndexAt({ "BTC/USDT": 2_812_445n }),
  )!;
  expect(computeExchangeCosts(quote, worthLater).delay).toBe(1_000_000n);
});

test("for any pair, amount and prices the costs add up to the difference from the index", () => {
  const price = fc.bigInt({ min: 1n, max: 10n ** 9n });
  const coin = fc.constantFrom(...coinCodes);
  const market = fc.record({ "BTC/USDT": price, "ETH/USDT": price, "USDC/USDT": price });
  let checkedCount = 0;
  fc.assert(
    fc.property(
      coin,
      coin,
      fc.bigInt({ min: 1n, max: 10n ** 15n }),
      market,
      market,
      (from, to, amount, then, now) => {
        const quote = read(from, to, amount, toIndexAt(then));
        if (!quote) return;
        checkedCount += 1;
        const worthNow = worthAtIndex(from, to, amount, toIndexAt(now))!;
        const costs = computeExchangeCosts(quote, worthNow);
        expect(sumFillCosts(costs)).toBe(worthNow - quote.received);
        expect(costs.spread >= 0n && costs.fee >= 0n).toBe(true);
      },
    ),
    { numRuns: 2_000 },
  );
  expect(checkedCount).toBeGreaterThan(150);
});
