import { describe, expect, it } from "vitest";
import type { Kline } from "#api/contracts.ts";
import { type Fold, foldMinute, toBar } from "./bars.ts";

const toMs = (hour: number, minute: number) => Date.UTC(2026, 0, 5, hour, minute);
const kline = (ms: number, o: string, h: string, l: string, c: string, v: string): Kline => [
  ms,
  o,
  h,
  l,
  c,
  v,
  false,
];
const tick = (ms: number, o: string, h: string, l: string, c: string, v: string) =>
  [ms, o, h, l, c, v] as const;

const hour = toBar(kline(toMs(10, 0), "100.00", "105.00", "99.00", "101.00", "40"));
const fold: Fold = { minuteMs: toMs(10, 20), volume: 3 };

describe("foldMinute", () => {
  it("a bar shows prices exactly as they were sent", () => {
    const bar = toBar(kline(toMs(10, 0), "0.10", "0.30", "0.10", "0.20", "1.5"));
    expect(bar.text).toEqual(["0.10", "0.30", "0.10", "0.20", "1.5"]);
    expect(bar.close).toBe(0.2);
  });

  it.each([
    [
      "a tick within the range moves only the close",
      tick(toMs(10, 20), "1", "102.00", "100.50", "100.70", "3"),
      fold,
      ["100.00", "105.00", "99.00", "100.70", "40"],
    ],
    [
      "a new high and low widen the bar",
      tick(toMs(10, 20), "1", "106.50", "98.00", "99.10", "3"),
      fold,
      ["100.00", "106.50", "98.00", "99.10", "40"],
    ],
    [
      "volume of the same minute is counted incrementally",
      tick(toMs(10, 20), "1", "102.00", "100.00", "101.00", "4.5"),
      fold,
      ["100.00", "105.00", "99.00", "101.00", "41.5"],
    ],
    [
      "volume of the next minute counts in full",
      tick(toMs(10, 21), "1", "102.00", "100.00", "101.00", "2"),
      fold,
      ["100.00", "105.00", "99.00", "101.00", "42"],
    ],
    [
      "a freshly read bar already contains the current minute",
      tick(toMs(10, 20), "1", "102.00", "100.00", "101.00", "2"),
      null,
      ["100.00", "105.00", "99.00", "101.00", "40"],
    ],
  ])("%s", (_, message, fold, text) => {
    expect(foldMinute("1h", hour, message, fold)).toMatchObject({
      kind: "bar",
      bar: { timestamp: toMs(10, 0), text },
    });
  });

  it("a minute of the next interval opens a new bar", () => {
    const result = foldMinute(
      "1h",
      hour,
      tick(toMs(11, 0), "101.00", "101.50", "100.90", "101.20", "1"),
      { minuteMs: toMs(10, 59), volume: 1 },
    );
    expect(result).toMatchObject({
      kind: "bar",
      bar: { timestamp: toMs(11, 0), text: ["101.00", "101.50", "100.90", "101.20", "1"] },
    });
  });

  it("the open minute replaces the bar of a 1m chart", () => {
    const minute = toBar(kline(toMs(10, 0), "1", "2", "1", "2", "5"));
    expect(
      foldMinute("1m", minute, tick(toMs(10, 0), "1", "3", "1", "3", "6"), null),
    ).toMatchObject({
      kind: "bar",
      bar: { timestamp: toMs(10, 0), text: ["1", "3", "1", "3", "6"] },
    });
  });

  it.each([
    ["1h", hour, toMs(9, 59), fold, "stale"],
    ["1h", hour, toMs(10, 19), fold, "stale"],
    ["1h", hour, toMs(10, 22), fold, "reload"],
    ["1h", hour, toMs(11, 1), null, "reload"],
    ["1h", hour, toMs(11, 0), null, "bar"],
    ["1m", toBar(kline(toMs(10, 0), "1", "1", "1", "1", "0")), toMs(10, 2), null, "reload"],
    ["1m", toBar(kline(toMs(10, 0), "1", "1", "1", "1", "0")), toMs(10, 1), null, "bar"],
  ] as const)("%s: late and missing minutes differ (row %#)", (interval, lastMs, ms, fold, kind) => {
    expect(foldMinute(interval, lastMs, tick(ms, "1", "1", "1", "1", "0"), fold).kind).toBe(kind);
  });

  it("a weekly bar starts on Monday", () => {
    const week = toBar(kline(Date.UTC(2026, 0, 5), "1", "1", "1", "1", "0"));
    const sunday = foldMinute(
      "1w",
      week,
      tick(Date.UTC(2026, 0, 11, 23, 59), "1", "1", "1", "1", "0"),
      null,
    );
    const monday = foldMinute(
      "1w",
      week,
      tick(Date.UTC(2026, 0, 12), "1", "1", "1", "1", "0"),
      null,
    );
    expect(sunday).toMatchObject({ bar: { timestamp: Date.UTC(2026, 0, 5) } });
    expect(monday).toMatchObject({ bar: { timestamp: Date.UTC(2026, 0, 12) } });
  });
});
