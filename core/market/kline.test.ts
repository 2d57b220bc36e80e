import fc from "fast-check";
import { expect, test } from "vitest";
import { getIntervalStart, intervalNames, intervals } from "#core/market/intervals.ts";
import { aggregateKlines, buildKlines, type Tick } from "#core/market/kline.ts";

const tick = (seconds: number, value: number, volume = 1): Tick => ({
  secondMs: seconds * 1_000,
  value: BigInt(value),
  volume: BigInt(volume),
});

test("a kline spans its values, opening with the first and closing with the last", () => {
  expect(
    buildKlines("1m", [tick(0, 5), tick(1, 9), tick(30, 2), tick(59, 6), tick(60, 7)]),
  ).toEqual([
    { openMs: 0, open: 5n, high: 9n, low: 2n, close: 6n, volume: 4n },
    { openMs: 60_000, open: 7n, high: 7n, low: 7n, close: 7n, volume: 1n },
  ]);
});

test("a minute without a value has no kline", () => {
  expect(buildKlines("1m", [tick(0, 5), tick(120, 6)]).map(({ openMs }) => openMs)).toEqual([
    0, 120_000,
  ]);
});

test("values out of order are refused", () => {
  expect(() => buildKlines("1m", [tick(60, 5), tick(0, 6)])).toThrow(RangeError);
});

test("a week opens on Monday, midnight UTC", () => {
  expect(new Date(getIntervalStart("1w", Date.UTC(2026, 0, 8, 13))).toISOString()).toBe(
    "2026-01-05T00:00:00.000Z",
  );
});

test("klines built from seconds equal klines built from shorter klines", () => {
  const ticks = fc
    .array(
      fc.tuple(
        fc.integer({ min: 1, max: 4_000 }),
        fc.integer({ min: 1, max: 10_000 }),
        fc.nat(500),
      ),
      {
        minLength: 1,
        maxLength: 200,
      },
    )
    .map((rows) => {
      let seconds = 1_767_571_200;
      return rows.map(([step, value, volume]) => {
        seconds += step;
        return tick(seconds, value, volume);
      });
    });
  fc.assert(
    fc.property(ticks, (ticks) => {
      let shorter = buildKlines("1m", ticks);
      for (const interval of intervalNames) {
        shorter = aggregateKlines(interval, shorter);
        expect(shorter).toEqual(buildKlines(interval, ticks));
        expect(shorter.every(({ openMs }) => getIntervalStart(interval, openMs) === openMs)).toBe(
          true,
        );
      }
      expect(intervals["1w"]).toBe(604_800_000);
    }),
    { numRuns: 50 },
  );
});
