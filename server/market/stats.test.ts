import { expect, test } from "vitest";
import type { Kline } from "#core/market/kline.ts";
import { dayMs } from "#core/money/time.ts";
import { computeStats } from "#server/market/stats.ts";

const nowMs = Date.UTC(2026, 0, 6, 12, 2, 30);
const fiveMs = 300_000;
const openMs = nowMs - (nowMs % fiveMs);

const flat = (atMs: number, price: number): Kline => {
  const value = BigInt(price);
  return { openMs: atMs, open: value, high: value, low: value, close: value, volume: 1n };
};
/** Klines from the one open a day ago to the one open now. */
const day = (price: (i: number) => number) =>
  Array.from({ length: 289 }, (_, i) => flat(openMs - dayMs + i * fiveMs, price(i)));

test.each([
  ["a rise", 10_000, 10_123n, 123],
  ["a fall", 10_000, 9_877n, -123],
  ["half a basis point rounds to the even neighbour", 20_000, 20_001n, 0],
  ["one and a half basis points round to two", 20_000, 20_003n, 2],
  ["no current price gives no change", 10_000, null, null],
] as const)("change against a day ago: %s", (_title, before, price, expected) => {
  expect(
    computeStats(
      day(() => before),
      price,
      nowMs,
    ).changeBp,
  ).toBe(expected);
});

test("a missing price a day ago gives no change", () => {
  expect(computeStats(day(() => 100).slice(2), 101n, nowMs).changeBp).toBeNull();
});

test("high and low span the day's klines and the current price", () => {
  const klines = day((i) => (i === 5 ? 90 : 100));
  expect(computeStats(klines, 120n, nowMs)).toMatchObject({ high: 120n, low: 90n });
  expect(computeStats(klines, null, nowMs)).toMatchObject({ high: 100n, low: 90n });
});

test("the volume covers klines that opened within a day and excludes an earlier one", () => {
  expect(
    computeStats(
      day(() => 100),
      100n,
      nowMs,
    ).volume,
  ).toBe(288n);
});

test("the sparkline runs from the price a day ago over the closes to the current price", () => {
  const { spark } = computeStats(
    day((i) => 1_000 + i),
    5n,
    nowMs,
  );
  expect(spark).toHaveLength(49);
  expect(spark.at(0)).toBe(1_000n);
  expect(spark.at(-1)).toBe(5n);
  expect(spark.at(-2)).toBe(1_000n + 287n);
});

test("the sparkline has the sign of the change, even if the first half hour rose more", () => {
  const { changeBp, spark } = computeStats(
    day((i) => (i === 0 ? 1_000 : 1_200)),
    1_100n,
    nowMs,
  );
  expect(changeBp).toBe(1_000);
  expect(spark.at(-1)).toBeGreaterThan(Number(spark[0]));
});

test("the sparkline of less than a day begins with its first close", () => {
  const { spark } = computeStats(day((i) => 1_000 + i).slice(282), 5n, nowMs);
  expect(spark).toEqual([1_287n, 5n]);
});

test("a market without klines has no statistics", () => {
  expect(computeStats([], null, nowMs)).toEqual({
    changeBp: null,
    high: null,
    low: null,
    volume: null,
    spark: [],
  });
});
