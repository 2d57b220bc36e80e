import { expect, it } from "vitest";
import type { Kline } from "#api/contracts.ts";
import { toBar } from "./bars.ts";
import { summariseBars } from "./summary.ts";

const bar = (minute: number, o: string, h: string, l: string, c: string) =>
  toBar([minute * 60_000, o, h, l, c, "1", false] as Kline);

it("a summary has the first open, the last close and the extremes with their times", () => {
  const bars = [
    bar(0, "100.00", "101.00", "99.50", "100.50"),
    bar(1, "100.50", "103.20", "100.10", "102.00"),
    bar(2, "102.00", "102.10", "98.70", "99.00"),
  ];
  expect(summariseBars(bars)).toEqual({
    count: 3,
    fromMs: 0,
    toMs: 120_000,
    open: "100.00",
    close: "99.00",
    high: "103.20",
    highMs: 60_000,
    low: "98.70",
    lowMs: 120_000,
    changeBp: -100,
  });
});

it("the earlier of equal extremes is reported", () => {
  const flat = [bar(3, "1.0", "1.0", "1.0", "1.0"), bar(4, "1.0", "1.0", "1.0", "1.0")];
  expect(summariseBars(flat)).toMatchObject({ highMs: 180_000, lowMs: 180_000, changeBp: 0 });
});

it("an empty range has no summary", () => expect(summariseBars([])).toBeNull());
