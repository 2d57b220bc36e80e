import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { freshQuotes, indexValue } from "#core/market/indexValue.ts";
import type { Bar } from "#core/market/replay/bars.ts";
import { BarSeries } from "#core/market/replay/series.ts";
import { minuteMs } from "#core/money/time.ts";

/** A bar of minute `minute` with a range so small that its half-spread is one basis point. */
const bar = (minute: number, close: bigint, volume = 100n): Bar => ({
  openMs: minute * minuteMs,
  open: close,
  high: close,
  low: close,
  close,
  volume,
});
const at = (minute: number, second = 0) => minute * minuteMs + second * 1_000;
const indexAt = (series: BarSeries[], atMs: number) =>
  indexValue(
    freshQuotes(
      series.map((one) => one.quoteAt(atMs)),
      atMs,
    ),
  );

describe("a bar exists from its close on", () => {
  const series = new BarSeries([bar(10, 10_000n), bar(11, 20_000n), bar(30, 30_000n)]);
  test.each([
    ["while it is open there is nothing", at(10, 59), null],
    ["at its close it is there", at(11), 10_000n],
    ["it stands while the next one is open", at(11, 59), 10_000n],
    ["the next one takes its place at its own close", at(12), 20_000n],
    ["five minutes exactly are still fresh", at(17), 20_000n],
    ["a second more is stale", at(17, 1), null],
    ["the silence ends with the next bar's close, not with its opening", at(30, 59), null],
    ["the bar after the silence", at(31), 30_000n],
  ] as const)("%s", (_, atMs, index) => {
    expect(indexAt([series], atMs)).toBe(index);
  });
});

describe("a venue that falls silent", () => {
  const steady = new BarSeries([20, 21, 22, 23, 24, 25, 26, 27].map((m) => bar(m, 10_000n)));
  const silent = new BarSeries([bar(20, 10_100n), bar(26, 10_100n)]);
  test.each([
    ["both quote: their mean", at(21), 10_050n],
    ["the silent one's last bar stands for five minutes", at(26), 10_050n],
    ["then one of two is too few: a gap", at(26, 1), null],
    ["up to the second before it is back", at(26, 59), null],
    ["back", at(27), 10_050n],
  ] as const)("%s", (_, atMs, index) => {
    expect(indexAt([steady, silent], atMs)).toBe(index);
  });
  test("where only one venue lists a symbol, one is enough", () => {
    expect(indexAt([steady], at(26, 1))).toBe(10_000n);
  });
});

test("the volume of a bar belongs to the second of its close", () => {
  const series = new BarSeries([bar(10, 5n, 7n), bar(12, 5n, 9n)]);
  const volumes = [at(10), at(11), at(11, 1), at(12), at(13)].map((ms) =>
    series.volumeClosedAt(ms),
  );
  expect(volumes).toEqual([0n, 7n, 0n, 0n, 9n]);
});

test("packing loses nothing, and the last closed bar is found like by reading all", () => {
  const price = fc.bigInt(1n, 10n ** 15n);
  const minutes = fc.uniqueArray(fc.integer({ min: 0, max: 60 }), { minLength: 1 });
  fc.assert(
    fc.property(minutes, price, fc.integer({ min: 0, max: 70 * 60 }), (list, close, seconds) => {
      const bars = list
        .toSorted((a, b) => a - b)
        .map((minute) => ({ ...bar(minute, close), open: close + 1n, high: close + 2n }));
      const series = new BarSeries(bars);
      expect(bars.map((_, n) => series.bar(n))).toEqual(bars);
      const closed = bars.filter(({ openMs }) => openMs + minuteMs <= seconds * 1_000);
      expect(series.lastClosed(seconds * 1_000)).toBe(closed.length - 1);
    }),
  );
});
