import fc from "fast-check";
import { expect, test } from "vitest";
import { computePnl, executeOrder } from "#core/hosting/execute.ts";
import { computeLegCosts } from "#core/hosting/legCosts.ts";
import type { PendingOrder } from "#core/hosting/types.ts";
import { worthUnit } from "#core/hosting/value.ts";
import type { Book } from "#core/market/book.ts";
import { sumFillCosts } from "#core/market/fillCosts.ts";

const btc = 100_000_000n;
const largeSize = 10n ** 30n;
const book = (bids: bigint[], asks: bigint[]): Book => ({
  bids: bids.map((price) => ({ price, size: btc / 2n })),
  asks: asks.map((price) => ({ price, size: btc / 2n })),
});
const stepsTo = (levels: readonly { step: bigint }[], index: number) =>
  levels.slice(0, index + 1).reduce((sum, { step }) => sum + step, 0n);
const bestPrice = ({ bids, asks }: Book) => ({ bid: bids[0]!.price, ask: asks[0]!.price });

test.each([
  // Bought: mid 19 990, ask 20 000 then, 20 005 when it met a book, the second half 10 dearer.
  ["buy" as const, 5_000_000n, 10_000_000n, 5_000_000n],
  // Sold: mid 19 990, bid 19 980 then, 19 995 when it met a book, the second half 10 cheaper.
  ["sell" as const, -15_000_000n, 10_000_000n, 5_000_000n],
])("a %s of one bitcoin has its delay, half spread and depth apart", (side, delay, spread, slip) => {
  const decisionBook = book([1_998_000n], [2_000_000n]);
  const executionBook = book([1_999_500n, 1_998_500n], [2_000_500n, 2_001_500n]);
  const order = {
    symbol: "BTC/USDT",
    side,
    quantity: btc,
    limit: side === "buy" ? 3_000_000n : 1n,
    mid2: 3_998_000n,
    baseWorth: 199n * worthUnit,
    quoteWorth: worthUnit,
  } as PendingOrder;
  const execution = executeOrder(order, executionBook, largeSize, "realistic");
  const costs = computeLegCosts(order, execution.quantity, computePnl(order, execution), {
    decided: bestPrice(decisionBook),
    met: bestPrice(executionBook),
  });
  expect(costs).toEqual({ delay, spread, slippage: slip, fee: execution.fee });
});

test("for any books the costs of a leg add up to its slippage and fees", () => {
  const levels = fc.array(
    fc.record({
      step: fc.bigInt({ min: 1n, max: 5_000n }),
      size: fc.bigInt({ min: 1n, max: 10n ** 10n }),
    }),
    { minLength: 1, maxLength: 5 },
  );
  const anyBook = fc.tuple(fc.bigInt({ min: 30_000n, max: 10n ** 8n }), levels, levels).map(
    ([mid, down, up]): Book => ({
      bids: down.map(({ size }, index) => ({ price: mid - stepsTo(down, index), size })),
      asks: up.map(({ size }, index) => ({ price: mid + stepsTo(up, index), size })),
    }),
  );
  let filledCount = 0;
  fc.assert(
    fc.property(
      fc.constantFrom(
        "BTC/USDT" as const,
        "ETH/USDT" as const,
        "BTC/USDC" as const,
        "USDC/USDT" as const,
      ),
      fc.constantFrom("buy" as const, "sell" as const),
      fc.bigInt({ min: 1n, max: 10n ** 11n }),
      anyBook,
      anyBook,
      fc.bigInt({ min: 1n, max: 10n ** 24n }),
      (symbol, side, quantity, decidedBook, book, quoteWorth) => {
        const { bid, ask } = bestPrice(decidedBook);
        const order = {
          symbol,
          side,
          quantity,
          limit: side === "buy" ? 10n ** 12n : 1n,
          mid2: bid + ask,
          baseWorth: quoteWorth,
          quoteWorth,
        } as PendingOrder;
        const execution = executeOrder(order, book, largeSize, "realistic");
        const pnl = computePnl(order, execution);
        const costs = computeLegCosts(order, execution.quantity, pnl, {
          decided: { bid, ask },
          met: bestPrice(book),
        });
        expect(sumFillCosts(costs)).toBe(pnl.slippage + pnl.fees);
        expect(costs.spread >= 0n).toBe(true);
        // Depth and roundings never favour the taker by more than the truncation of three divisions.
        expect(costs.slippage >= -3n).toBe(true);
        if (execution.quantity > 0n) filledCount += 1;
      },
    ),
    { numRuns: 1_500 },
  );
  expect(filledCount).toBeGreaterThan(500);
});
