import { expect, test } from "vitest";
import { findNearestPoint, layOutChart, stepPoint } from "./chartShape.ts";

const gapped = layOutChart(
  [
    [0, 10],
    [50, 20],
    [60, null],
    [100, 15],
  ],
  100,
  10,
)!;

test("time is linear, the highest total is at the top and gaps stay open", () => {
  expect(gapped.paths).toEqual(["M0.00 10.00L50.00 0.00", "M100.00 5.00h0.01"]);
  expect([gapped.low, gapped.high]).toEqual([10, 20]);
  expect(gapped.places[2]).toBeNull();
});

test("a constant total is a centred line", () => {
  expect(
    layOutChart(
      [
        [0, 7],
        [10, 7],
      ],
      100,
      10,
    )!.paths,
  ).toEqual(["M0.00 5.00L100.00 5.00"]);
});

test.each([[[]], [[[0, null] as const]]])("unknown values %j give no chart", (points) => {
  expect(layOutChart(points, 100, 10)).toBeNull();
});

test.each([
  [0, 0],
  [0.3, 1],
  [0.58, 1],
  [0.9, 3],
])("the nearest point to %f is %i, never a gap", (x, index) => {
  expect(findNearestPoint(gapped, x)).toBe(index);
});

test("stepping skips gaps and stops at the ends", () => {
  expect([
    stepPoint(gapped, 1, 1),
    stepPoint(gapped, 3, -1),
    stepPoint(gapped, 3, 1),
    stepPoint(gapped, 0, -1),
  ]).toEqual([3, 1, 3, 0]);
});
