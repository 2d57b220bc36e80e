import { describe, expect, test } from "vitest";
import { tradeAtVenue, type VenueOrder } from "#core/market/atVenue.ts";
import type { Book } from "#core/market/book.ts";

const level = (price: number, size: number) => ({
  price: BigInt(Math.round(price * 100)),
  size: BigInt(Math.round(size * 1e8)),
});
const book: Book = {
  bids: [level(19_990, 0.5), level(19_980, 1)],
  asks: [level(20_010, 0.5), level(20_020, 1)],
};
const btc = { symbol: "BTC/USDT", baseScale: 8, quoteScale: 6 } as const;
const sellBtc = (btcs: number): VenueOrder => ({
  ...btc,
  side: "sell",
  given: BigInt(Math.round(btcs * 1e8)),
});
const buyFor = (usdt: number): VenueOrder => ({
  ...btc,
  side: "buy",
  given: BigInt(Math.round(usdt * 1e6)),
});

describe("the same amount at a venue", () => {
  test.each([
    // Half a coin at the best bid: 9 995, less 0.4 %.
    [sellBtc(0.5), 4_000, 2_000_000n, 9_955_020_000n, 5_000_000n, 39_980_000n, 0n],
    // One coin reaches the second level: 19 985 on average.
    [sellBtc(1), 4_000, 2_000_000n, 19_905_060_000n, 15_000_000n, 79_940_000n, 0n],
    // The mid was 20 050 at the decision, so the wait cost 25.
    [sellBtc(0.5), 4_000, 2_005_000n * 2n, 9_955_020_000n, 5_000_000n, 39_980_000n, 25_000_000n],
    // Without a fee.
    [sellBtc(0.5), 0, 2_000_000n * 2n, 9_995_000_000n, 5_000_000n, 0n, 0n],
  ])("%o at a fee of %i: sold", (order, fee, mid, received, spread, paid, delay) => {
    const before = mid === 2_000_000n ? 2_000_000n * 2n : mid;
    expect(tradeAtVenue(order, book, fee, before)).toMatchObject({
      received,
      spread,
      fee: paid,
      delay,
    });
  });

  test("a buy pays its fee out of the amount given", () => {
    const venueExecution = tradeAtVenue(buyFor(2_008.002), book, 4_000, null)!;
    // 2 008.002 / 1.004 = 2 000.002 spent at 20 010.
    expect(venueExecution.received).toBe(9_995_012n);
    expect(venueExecution.delay).toBeNull();
    // At the mid of 20 000: the amount given less its cost.
    expect(venueExecution.received + venueExecution.spread + venueExecution.fee).toBe(10_040_010n);
    expect(venueExecution.levels).toEqual([book.asks[0]]);
  });

  test("all costs sum to the shortfall against the earlier mid", () => {
    for (const order of [sellBtc(1.2), buyFor(25_000), buyFor(0.01), sellBtc(0.000_01)]) {
      const before = 2_001_234n * 2n;
      const { received, spread, fee, delay } = tradeAtVenue(order, book, 2_600, before)!;
      const worth =
        order.side === "sell"
          ? (order.given * before * 1_000_000n) / (2n * 10n ** 10n)
          : (order.given * 2n * 10n ** 10n) / (before * 1_000_000n);
      expect(received + spread + fee + delay!).toBe(worth);
      expect(spread).toBeGreaterThanOrEqual(0n);
    }
  });

  test("an amount larger than the book has no price", () => {
    expect(tradeAtVenue(sellBtc(1.500_000_01), book, 0, null)).toBeNull();
    expect(tradeAtVenue(sellBtc(1.5), book, 0, null)).not.toBeNull();
    expect(tradeAtVenue(buyFor(30_026), book, 0, null)).toBeNull();
    expect(tradeAtVenue(buyFor(30_025), book, 0, null)).not.toBeNull();
    expect(tradeAtVenue(sellBtc(0.1), { bids: book.bids, asks: [] }, 0, null)).toBeNull();
  });
});
