import { expect, test } from "vitest";
import { type FanPoint, fanBox, layOutFan } from "./fanShape.ts";

const point = (position: number, worst: bigint, median: bigint, best: bigint): FanPoint => ({
  at: position,
  spread: { worst, low: worst / 2n, median, high: best / 2n, best },
});
const [start, end] = [point(0, 0n, 0n, 0n), point(10, -300n, -50n, 100n)];

test("a loss three times a gain takes three times the height", () => {
  const { zero, ends } = layOutFan([start, end]);
  expect(zero).toBe(fanBox.height / 4);
  expect(ends).toEqual({
    best: 0,
    median: (fanBox.height * 3) / 8,
    worst: fanBox.height,
  });
});

test("a band follows its upper edge forwards and its lower edge backwards", () => {
  const { outer, inner, median } = layOutFan([start, end]);
  expect(outer).toBe("M0.0 50.0L400.0 0.0L400.0 200.0L0.0 50.0Z");
  expect(inner).toBe("M0.0 50.0L400.0 25.0L400.0 125.0L0.0 50.0Z");
  expect(median).toBe("M0.0 50.0L400.0 75.0");
});

test.each([
  ["only losses", point(1, -10n, -5n, -1n), 0],
  ["only gains", point(1, 1n, 5n, 10n), fanBox.height],
  ["a flat result", point(0, 0n, 0n, 0n), 0],
])("the start is within the chart of %s", (_, only, zero) => {
  expect(layOutFan([only]).zero).toBe(zero);
});
