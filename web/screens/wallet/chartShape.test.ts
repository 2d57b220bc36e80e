import { expect, test } from "vitest";
import { chartShape, nearestPoint, stepPoint } from "./chartShape.ts";

const gapped = chartShape(
  [
    [0, 10],
    [50, 20],
    [60, null],
    [100, 15],
  ],
  100,
  10,
)!;

test("time runs evenly, the highest total at the top, and a gap stays open", () => {
  expect(gapped.paths).toEqual(["M0.00 10.00L50.00 0.00", "M100.00 5.00h0.01"]);
  expect([gapped.low, gapped.high]).toEqual([10, 20]);
  expect(gapped.places[2]).toBeNull();
});

test("a total that never moved is a line in the middle", () => {
  expect(
    chartShape(
      [
        [0, 7],
        [10, 7],
      ],
      100,
      10,
    )!.paths,
  ).toEqual(["M0.00 5.00L100.00 5.00"]);
});

test.each([[[]], [[[0, null] as const]]])("no picture is drawn of nothing known (%j)", (points) => {
  expect(chartShape(points, 100, 10)).toBeNull();
});

test.each([
  [0, 0],
  [0.3, 1],
  [0.58, 1],
  [0.9, 3],
])("at %f from the left the nearest point is %i, never a gap", (x, index) => {
  expect(nearestPoint(gapped, x)).toBe(index);
});

test("a step passes over gaps and stays at the ends", () => {
  expect([
    stepPoint(gapped, 1, 1),
    stepPoint(gapped, 3, -1),
    stepPoint(gapped, 3, 1),
    stepPoint(gapped, 0, -1),
  ]).toEqual([3, 1, 3, 0]);
});
