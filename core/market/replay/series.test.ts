import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { computeIndexValue, filterFreshQuotes } from "#core/market/indexValue.ts";
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
const minuteMsAt = (minute: number, second = 0) => minute * minuteMs + second * 1_000;
const indexAt = (series: BarSeries[], atMs: number) =>
  computeIndexValue(
    filterFreshQuotes(
      series.map((bars) => bars.quoteAt(atMs)),
      atMs,
    ),
  );

describe("a bar becomes visible at its close", () => {
  const series = new BarSeries([bar(10, 10_000n), bar(11, 20_000n), bar(30, 30_000n)]);
  test.each([
    ["an open bar gives no index", minuteMsAt(10, 59), null],
    ["a bar gives the index at its close", minuteMsAt(11), 10_000n],
    ["a bar stays current while the next one is open", minuteMsAt(11, 59), 10_000n],
    ["the next bar replaces it at its own close", minuteMsAt(12), 20_000n],
    ["a bar is fresh for exactly five minutes", minuteMsAt(17), 20_000n],
    ["a bar is stale a second later", minuteMsAt(17, 1), null],
    ["silence lasts until the next bar closes", minuteMsAt(30, 59), null],
    ["the bar after the silence gives the index", minuteMsAt(31), 30_000n],
  ] as const)("%s", (_, atMs, index) => {
    expect(indexAt([series], atMs)).toBe(index);
  });
});

describe("a venue that falls silent", () => {
  const steadySeries = new BarSeries([20, 21, 22, 23, 24, 25, 26, 27].map((m) => bar(m, 10_000n)));
  const silentSeries = new BarSeries([bar(20, 10_100n), bar(26, 10_100n)]);
  test.each([
    ["two quoting venues give their mean", minuteMsAt(21), 10_050n],
    ["the silent venue's last bar counts for five minutes", minuteMsAt(26), 10_050n],
    ["one of two venues is a gap after five minutes", minuteMsAt(26, 1), null],
    ["the gap lasts until the second before the venue is back", minuteMsAt(26, 59), null],
    ["back", minuteMsAt(27), 10_050n],
  ] as const)("%s", (_, atMs, index) => {
    expect(indexAt([steadySeries, silentSeries], atMs)).toBe(index);
  });
  test("a symbol with a single venue needs only one", () => {
    expect(indexAt([steadySeries], minuteMsAt(26, 1))).toBe(10_000n);
  });
});

test("a bar's volume belongs to the second of its close", () => {
  const series = new BarSeries([bar(10, 5n, 7n), bar(12, 5n, 9n)]);
  const volumes = [
    minuteMsAt(10),
    minuteMsAt(11),
    minuteMsAt(11, 1),
    minuteMsAt(12),
    minuteMsAt(13),
  ].map((ms) => series.volumeClosedAt(ms));
  expect(volumes).toEqual([0n, 7n, 0n, 0n, 9n]);
});

test("packing is lossless, and lastClosed agrees with a linear scan", () => {
  const price = fc.bigInt(1n, 10n ** 15n);
  const minutes = fc.uniqueArray(fc.integer({ min: 0, max: 60 }), { minLength: 1 });
  fc.assert(
    fc.property(minutes, price, fc.integer({ min: 0, max: 70 * 60 }), (list, close, seconds) => {
      const bars = list
        .toSorted((a, b) => a - b)
        .map((minute) => ({ ...bar(minute, close), open: close + 1n, high: close + 2n }));
      const series = new BarSeries(bars);
      expect(bars.map((_, n) => series.bar(n))).toEqual(bars);
      const closedBars = bars.filter(({ openMs }) => openMs + minuteMs <= seconds * 1_000);
      expect(series.lastClosed(seconds * 1_000)).toBe(closedBars.length - 1);
    }),
  );
});
