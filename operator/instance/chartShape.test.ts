import { expect, test } from "vitest";
import { buildLines, roundUp } from "#operator/instance/chartShape.ts";

test.each<[number, 10 | 1024, number]>([
  [0, 10, 1],
  [1, 10, 1],
  [3, 10, 5],
  [10, 10, 10],
  [11, 10, 20],
  [5_001, 10, 10_000],
  [700, 1024, 1000],
  [1_500, 1024, 2_048],
  [30 * 1024 ** 2, 1024, 50 * 1024 ** 2],
])("%d (base %d) rounds up to %d", (value, base, expected) => {
  expect(roundUp(value, base)).toBe(expected);
});

const pointAt = (minute: number, value: number | null) => ({ atMs: minute * 60_000, value });

test.each<[string, ReturnType<typeof pointAt>[], string[]]>([
  ["no points give no line", [], []],
  ["a single point is a dot at the end", [pointAt(0, 5)], ["M100.00 50.00L100.00 50.00"]],
  ["a line runs from edge to edge", [pointAt(0, 0), pointAt(1, 10)], ["M0.00 100.00L100.00 0.00"]],
  [
    "a missing measurement ends a line",
    [pointAt(0, 0), pointAt(1, null), pointAt(2, 10)],
    ["M0.00 100.00L0.00 100.00", "M100.00 0.00L100.00 0.00"],
  ],
  [
    "a gap in time ends a line",
    [pointAt(0, 10), pointAt(1, 10), pointAt(9, 5), pointAt(10, 5)],
    ["M0.00 0.00L10.00 0.00", "M90.00 50.00L100.00 50.00"],
  ],
])("%s", (_title, points, expected) => {
  expect(buildLines(points, 10, 150_000)).toEqual(expected);
});
