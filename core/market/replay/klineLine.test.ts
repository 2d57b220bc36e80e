import { expect, test } from "vitest";
import { parseBars } from "./bars.ts";
import { countCoverage, formatKlineLine, klinesHeader } from "./klineLine.ts";

const atMs = 1_677_628_800_000;

test.each([
  [[atMs, 2, 4, 1, 3, 5.5], "1677628800,1,4,2,3,5.5"],
  [[atMs, 0.1, 0.1, 0.1, 0.1, 1.25e-7], "1677628800,0.1,0.1,0.1,0.1,0.000000125"],
  [[atMs, 1, 1, 1, 1, 1.5e21], "1677628800,1,1,1,1,1500000000000000000000"],
  [[atMs, 1, 1, 1, 1, 0], "1677628800,1,1,1,1,0"],
  [[atMs + 1_000, 1, 1, 1, 1, 1], null],
  [[atMs, 1, 1, 1, undefined, 1], null],
  [[atMs, 1, 1, 0, 1, 1], null],
  [[atMs, 5, 4, 1, 3, 1], null],
  [[atMs, 2, 4, 1, Number.NaN, 1], null],
  [[atMs, 2, 4, 1, 3, -1], null],
  [[], null],
])("the kline %o becomes %s", (row, line) => {
  expect(formatKlineLine(row)).toBe(line);
});

test("parseBars reads written klines exactly", () => {
  const line = formatKlineLine([atMs, 0.082_37, 0.083, 0.082, 0.082_37, 1.25e-7]);
  expect(parseBars(`${klinesHeader}\n${line}\n`, 6)).toEqual({
    ok: true,
    form: "seconds",
    bars: [
      {
        openMs: atMs,
        open: 82_370n,
        high: 83_000n,
        low: 82_000n,
        close: 82_370n,
        volume: 12n,
      },
    ],
  });
});

test.each([
  [[0, 1, 2], { present: 3, missing: 2, longestGap: 2 }],
  [[1, 4], { present: 2, missing: 3, longestGap: 2 }],
  [[], { present: 0, missing: 5, longestGap: 5 }],
])("minutes %o of five: %o", (minutes, expected) => {
  const times = minutes.map((minute) => minute * 60_000);
  expect(countCoverage(times, 0, 300_000)).toEqual(expected);
});
