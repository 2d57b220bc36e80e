import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { computePnl, executeOrder } from "#core/hosting/execute.ts";
import { getFeeBp, scaleBest, scaleSide } from "#core/hosting/friction.ts";
import type { PendingOrder } from "#core/hosting/types.ts";
import type { Book } from "#core/market/book.ts";

const btc = 100_000_000n;
/**
 * Half a bitcoin at each of three prices: asks 20 000, 20 010 and 20 020; bids 19 990, 19 980 and
 * 19 970.
 */
const book: Book = {
  asks: [2_000_000n, 2_001_000n, 2_002_000n].map((price) => ({ price, size: btc / 2n })),
  bids: [1_999_000n, 1_998_000n, 1_997_000n].map((price) => ({ price, size: btc / 2n })),
};
const largeBalance = 10n ** 15n;
const buy = (quantity: bigint, limit = 3_000_000n) =>
  ({ symbol: "BTC/USDT", side: "buy", quantity, limit }) as const;
const sell = (quantity: bigint, limit = 1n) =>
  ({ symbol: "BTC/USDT", side: "sell", quantity, limit }) as const;

describe("an order walks the book and pays a fee of ten basis points", () => {
  test.each([
    [
      "a buy fills within the best level",
      buy(btc / 4n),
      largeBalance,
      btc / 4n,
      5_000_000_000n,
      5_000_000n,
      null,
    ],
    [
      "a buy fills across two levels",
      buy(btc),
      largeBalance,
      btc,
      20_005_000_000n,
      20_005_000n,
      null,
    ],
    [
      "a sell fills across two levels",
      sell(btc),
      largeBalance,
      btc,
      19_985_000_000n,
      19_985_000n,
      null,
    ],
    [
      "a thin book fills part of an order",
      buy(2n * btc),
      largeBalance,
      (3n * btc) / 2n,
      30_015_000_000n,
      30_015_000n,
      "part",
    ],
    [
      "a level beyond the limit is not used",
      buy(btc, 2_000_500n),
      largeBalance,
      btc / 2n,
      10_000_000_000n,
      10_000_000n,
      "part",
    ],
    [
      "a buy fills nothing if every level is beyond its limit",
      buy(btc, 1_999_999n),
      largeBalance,
      0n,
      0n,
      0n,
      "beyond_limit",
    ],
    [
      "a sell fills nothing below its limit",
      sell(btc, 1_999_001n),
      largeBalance,
      0n,
      0n,
      0n,
      "beyond_limit",
    ],
    [
      "a sell is capped at the amount held",
      sell(btc),
      btc / 10n,
      btc / 10n,
      1_999_000_000n,
      1_999_000n,
      "part",
    ],
    ["a sell with nothing held fills nothing", sell(btc), 0n, 0n, 0n, 0n, "no_money"],
    ["a fractional cost and its fee are rounded up", buy(1n), largeBalance, 1n, 200n, 1n, null],
    [
      "fractional proceeds are rounded down and the fee up",
      sell(3n),
      largeBalance,
      3n,
      599n,
      1n,
      null,
    ],
  ] as const)("%s", (_, order, balance, quantity, quote, fee, why) => {
    expect(executeOrder(order, book, balance, "realistic")).toEqual({ quantity, quote, fee, why });
  });

  test("a fractional cost at an odd price is rounded up", () => {
    const oddBook: Book = { bids: [], asks: [{ price: 2_000_001n, size: btc }] };
    expect(
      executeOrder(buy(3n), { ...oddBook, bids: book.bids }, largeBalance, "realistic").quote,
    ).toBe(601n);
  });

  test("insufficient money buys the part it can pay for, fee included", () => {
    const balance = 10_010_000_002n;
    const execution = executeOrder(buy(btc), book, balance, "realistic");
    expect(execution).toMatchObject({
      quantity: btc / 2n,
      quote: 10_000_000_000n,
      fee: 10_000_000n,
    });
  });

  test("a fill never spends or sells more than is held", () => {
    fc.assert(
      fc.property(
        fc.bigInt(1n, 5n * btc),
        fc.bigInt(0n, 40_000_000_000n),
        fc.constantFrom("frictionless", "realistic", "harsh"),
        (quantity, balance, friction) => {
          const bought = executeOrder(buy(quantity), book, balance, friction as "harsh");
          expect(bought.quote + bought.fee <= balance || bought.quantity === 0n).toBe(true);
          const sale = executeOrder(sell(quantity), book, balance, friction as "harsh");
          expect(sale.quantity <= balance && sale.quantity <= quantity).toBe(true);
        },
      ),
    );
  });
});

describe("friction scales fee, spread and depth", () => {
  test.each([
    ["frictionless", 0n, { bid: 1_999_500n, ask: 1_999_500n }],
    ["realistic", 10n, { bid: 1_999_000n, ask: 2_000_000n }],
    ["harsh", 20n, { bid: 1_998_500n, ask: 2_000_500n }],
  ] as const)("%s", (friction, fee, best) => {
    expect(getFeeBp(friction)).toBe(fee);
    expect(scaleBest({ bid: 1_999_000n, ask: 2_000_000n }, friction)).toEqual(best);
  });

  test("a half step of the mid rounds against the taker", () => {
    expect(scaleBest({ bid: 100n, ask: 101n }, "frictionless")).toEqual({ bid: 100n, ask: 101n });
  });

  test("harsh halves sizes and doubles distances; frictionless fills any size at one price", () => {
    expect(scaleSide(book, "asks", "harsh")[1]).toEqual({ price: 2_002_500n, size: btc / 4n });
    const fullExecution = executeOrder(buy(100n * btc), book, largeBalance, "frictionless");
    expect(fullExecution).toMatchObject({
      quantity: 100n * btc,
      quote: 1_999_500_000_000n,
      fee: 0n,
    });
  });
});

test("the pnl of two legs is the gap less their distance from the mid and less fees", () => {
  const leg = (side: "buy" | "sell", mid2: bigint) =>
    ({
      symbol: "BTC/USDT",
      side,
      mid2,
      baseWorth: 200_000_000_000_000_000_000n,
      quoteWorth: 10n ** 18n,
    }) as PendingOrder;
  // One bitcoin. First leg: mid 19 990, bought at 20 000. Second leg: mid 20 110, sold at 20 100.
  // Index 20 000.
  const buyPnl = computePnl(leg("buy", 3_998_000n), {
    quantity: btc,
    quote: 20_000_000_000n,
    fee: 20_000_000n,
    why: null,
  });
  const sellPnl = computePnl(leg("sell", 4_022_000n), {
    quantity: btc,
    quote: 20_100_000_000n,
    fee: 20_100_000n,
    why: null,
  });
  expect(buyPnl).toEqual({ gross: 10_000_000n, slippage: 10_000_000n, fees: 20_000_000n });
  expect(sellPnl).toEqual({ gross: 110_000_000n, slippage: 10_000_000n, fees: 20_100_000n });
});
