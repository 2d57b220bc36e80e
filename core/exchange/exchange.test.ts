import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  decideExecution,
  exchangeMax,
  exchangeWorthMax,
  type IndexAt,
  quoteExchange,
} from "#core/exchange/exchange.ts";
import type { MarketSymbol } from "#core/market/symbols.ts";
import { type Coin, coinCodes } from "#core/money/coins.ts";
import { divideUp } from "#core/money/rounding.ts";

const prices: Partial<Record<MarketSymbol, bigint>> = {
  "BTC/USDT": 2_812_345n,
  "ETH/USDT": 180_012n,
  "USDC/USDT": 99_987n,
};
const indexAt: IndexAt = (symbol) => prices[symbol] ?? null;

function quoteOrThrow(from: Coin, to: Coin, amount: bigint, indexes: IndexAt = indexAt) {
  const result = quoteExchange({ from, to, given: amount }, indexes);
  if (!result.ok) throw new Error(result.error);
  return result.quote;
}

test("1 000 pUSDT to pBTC at 28 123.45 pays fee 1, rate 28 151.58 and receives 0.03548646", () => {
  const { received, steps } = quoteOrThrow("pUSDT", "pBTC", 1_000_000_000n);
  expect(received).toBe(3_548_646n);
  expect(steps).toMatchObject([
    { symbol: "BTC/USDT", side: "buy", fee: 1_000_000n, rate: 2_815_158n, index: 2_812_345n },
  ]);
});

test("0.1 pBTC to pUSDT pays the fee in pBTC, at a rate below the index, rounded down", () => {
  const { received, steps } = quoteOrThrow("pBTC", "pUSDT", 10_000_000n);
  // 28 123.45 − 10 bp = 28 095.326 55, rounded down 28 095.32; times 0.0999.
  expect(steps).toMatchObject([{ side: "sell", fee: 10_000n, rate: 2_809_532n }]);
  expect(received).toBe(2_806_722_468n);
});

test("pBTC to pETH goes through pUSDT and receives exactly what two exchanges would", () => {
  const cross = quoteOrThrow("pBTC", "pETH", 10_000_000n);
  const first = quoteOrThrow("pBTC", "pUSDT", 10_000_000n);
  const second = quoteOrThrow("pUSDT", "pETH", first.received);
  expect(cross.steps).toEqual([...first.steps, ...second.steps]);
  expect(cross.received).toBe(second.received);
});

test.each<[Coin, Coin, bigint, string]>([
  ["pUSDT", "pUSDT", 1n, "same_coin"],
  ["pBTC", "pBTC", 1n, "same_coin"],
  ["pUSDT", "pBTC", 1n, "too_small"],
  ["pUSDT", "pBTC", 2n, "too_small"],
  ["pUSDT", "pUSDC", 1n, "too_small"],
  ["pETH", "pUSDC", 0n, "too_small"],
  ["pUSDT", "pBTC", exchangeMax + 1n, "too_large"],
  ["pBTC", "pETH", exchangeMax, "over_limit"],
  ["pUSDT", "pBTC", exchangeWorthMax + 1n, "over_limit"],
  // 1 pBTC is worth 28 123.45 pUSDT: 35.55751516… pBTC are worth the limit.
  ["pBTC", "pUSDT", 3_555_751_517n, "over_limit"],
])("%s for %s, %s minor units: %s", (from, to, amount, reason) => {
  expect(quoteExchange({ from, to, given: amount }, indexAt)).toEqual({ ok: false, error: reason });
});

test("one quote exchanges at most the worth of 1 000 000 pUSDT", () => {
  expect(quoteOrThrow("pUSDT", "pBTC", exchangeWorthMax).given).toBe(exchangeWorthMax);
  expect(quoteOrThrow("pBTC", "pUSDT", 3_555_751_516n).given).toBe(3_555_751_516n);
});

describe("a quote is executable while the index moves by no more than its cost", () => {
  // Cost of 1 000 pUSDT for pBTC: 0.00007105 of 0.03555751 pBTC, 19.98 bp.
  const quote = quoteOrThrow("pUSDT", "pBTC", 1_000_000_000n);
  const atPrice = (price: bigint | null) =>
    decideExecution(quote, (symbol) => (symbol === "BTC/USDT" ? price : null));
  test.each([
    [2_812_345n, "stands"],
    [2_817_976n, "stands"],
    [2_817_977n, "moved"],
    [2_806_737n, "stands"],
    [2_806_736n, "moved"],
    [null, "no_price"],
    [0n, "no_price"],
  ])("index %s: %s", (price, expected) => {
    expect(atPrice(price)).toBe(expected);
  });

  test("for a quote through two markets the product of their prices decides", () => {
    const cross = quoteOrThrow("pBTC", "pETH", 10_000_000n);
    const executeAt = (btc: bigint, eth: bigint) =>
      decideExecution(cross, (symbol) => (symbol === "BTC/USDT" ? btc : eth));
    // Both up by 1 %: their quotient, and so the quote, is where it was.
    expect(executeAt(2_840_468n, 181_812n)).toBe("stands");
    expect(executeAt(2_840_468n, 180_012n)).toBe("moved");
    expect(decideExecution(cross, (symbol) => (symbol === "BTC/USDT" ? 2_812_345n : null))).toBe(
      "no_price",
    );
  });
});

test("a quote requires an index for each market on its route", () => {
  const gap: IndexAt = (symbol) => (symbol === "ETH/USDT" ? null : indexAt(symbol));
  const result = (from: Coin, to: Coin) => quoteExchange({ from, to, given: 10n ** 9n }, gap);
  expect(result("pBTC", "pETH")).toEqual({ ok: false, error: "no_price" });
  expect(result("pUSDT", "pETH")).toEqual({ ok: false, error: "no_price" });
  expect(result("pBTC", "pUSDC").ok).toBe(true);
});

describe("for any amount and index", () => {
  const pair = fc
    .tuple(fc.constantFrom(...coinCodes), fc.constantFrom(...coinCodes))
    .filter(([from, to]) => from !== to);
  const arbitrary = fc.bigInt({ min: 1n, max: 10n ** 15n });
  const index = fc.bigInt({ min: 100n, max: 10n ** 8n });
  const arbitraryIndex = fc.tuple(index, index, index).map(
    ([btc, eth, usdc]): IndexAt =>
      (symbol) => {
        if (symbol === "BTC/USDT") return btc;
        return symbol === "ETH/USDT" ? eth : usdc;
      },
  );

  test("a quote never beats the index, and every rounding goes against the person", () => {
    fc.assert(
      fc.property(pair, arbitrary, arbitraryIndex, ([from, to], amount, indexes) => {
        const result = quoteExchange({ from, to, given: amount }, indexes);
        if (!result.ok) return;
        const { quote } = result;
        expect(quote.received).toBeLessThanOrEqual(quote.atIndex);
        expect(quote.cost).toBe(quote.atIndex - quote.received);
        for (const step of quote.steps) {
          expect(step.fee).toBe(divideUp(step.given, 1_000n));
          expect(step.feeCost >= 0n && step.spreadCost >= 0n).toBe(true);
          if (step.side === "buy")
            expect(step.rate * 10_000n).toBeGreaterThanOrEqual(step.index * 10_010n);
          else expect(step.rate * 10_000n).toBeLessThanOrEqual(step.index * 9_990n);
        }
      }),
    );
  });

  test("an executable quote never gives more than the current index", () => {
    fc.assert(
      fc.property(
        pair,
        arbitrary,
        arbitraryIndex,
        arbitraryIndex,
        ([from, to], amount, then, now) => {
          const result = quoteExchange({ from, to, given: amount }, then);
          const current = quoteExchange({ from, to, given: amount }, now);
          if (!result.ok || !current.ok) return;
          if (decideExecution(result.quote, now) !== "stands") return;
          expect(result.quote.received).toBeLessThanOrEqual(current.quote.atIndex);
        },
      ),
    );
    fc.assert(
      fc.property(
        pair,
        arbitrary,
        arbitraryIndex,
        fc.integer({ min: -40, max: 40 }),
        (ends, amount, then, bp) => {
          const [from, to] = ends;
          const result = quoteExchange({ from, to, given: amount }, then);
          const now: IndexAt = (symbol) => ((then(symbol) ?? 0n) * BigInt(10_000 + bp)) / 10_000n;
          const current = quoteExchange({ from, to, given: amount }, now);
          if (!result.ok || !current.ok) return;
          if (decideExecution(result.quote, now) !== "stands") return;
          expect(result.quote.received).toBeLessThanOrEqual(current.quote.atIndex);
        },
      ),
    );
  });

  test("with one market the displayed fee and spread are the whole cost", () => {
    fc.assert(
      fc.property(
        fc.constantFrom<Coin>("pUSDC", "pBTC", "pETH"),
        fc.boolean(),
        arbitrary,
        arbitraryIndex,
        (coin, buy, amount, indexes) => {
          const params = buy
            ? { from: "pUSDT" as const, to: coin }
            : { from: coin, to: "pUSDT" as const };
          const result = quoteExchange({ ...params, given: amount }, indexes);
          if (!result.ok) return;
          const [step] = result.quote.steps;
          expect(step!.feeCost + step!.spreadCost).toBe(result.quote.cost);
        },
      ),
    );
  });

  test("a round trip at one index loses both costs, to a minor unit of each coin", () => {
    fc.assert(
      fc.property(
        fc.constantFrom<Coin>("pUSDC", "pBTC", "pETH"),
        arbitrary,
        arbitraryIndex,
        (coin, amount, indexes) => {
          const firstQuote = quoteExchange({ from: "pUSDT", to: coin, given: amount }, indexes);
          if (!firstQuote.ok) return;
          const returnQuote = quoteExchange(
            { from: coin, to: "pUSDT", given: firstQuote.quote.received },
            indexes,
          );
          if (!returnQuote.ok) return;
          const loss = amount - returnQuote.quote.received;
          const [sell] = returnQuote.quote.steps;
          // The first exchange's cost, valued in pUSDT: proportional, because the index is the
          // same.
          const toShownCost = (cost: bigint) =>
            (cost * returnQuote.quote.atIndex + firstQuote.quote.received - 1n) /
            firstQuote.quote.received;
          const unit = toShownCost(1n);
          const explainedCost = returnQuote.quote.cost + toShownCost(firstQuote.quote.cost);
          expect(sell!.index).toBe(firstQuote.quote.steps[0]!.index);
          const gap = loss - explainedCost;
          const bound =
            unit + 2n + (amount * 2n) / firstQuote.quote.received / firstQuote.quote.received;
          expect(gap < 0n ? -gap : gap).toBeLessThanOrEqual(bound + unit);
          expect(loss).toBeGreaterThan(0n);
        },
      ),
    );
  });
});
