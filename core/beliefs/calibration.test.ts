import fc from "fast-check";
import { expect, test } from "vitest";
import { brierAtHalf, computeCalibration } from "#core/beliefs/calibration.ts";

const makeBelief = (confidence: number, right: boolean) => ({ confidence, right });

test.each([
  ["sure and right", [makeBelief(100, true)], 0],
  ["sure and wrong", [makeBelief(100, false)], 10_000],
  ["80 % and right", [makeBelief(80, true)], 400],
  ["80 % and wrong", [makeBelief(80, false)], 6_400],
  ["80 %, right four times of five", [1, 2, 3, 4, 5].map((n) => makeBelief(80, n < 5)), 1_600],
])("%s", (_title, all, brier) => {
  expect(computeCalibration(all)?.brier).toBe(brier);
});

test("calibration of no beliefs is null", () => {
  expect(computeCalibration([])).toBeNull();
});

test("every belief is in exactly one step, including at the edges", () => {
  const beliefs = [50, 59, 60, 89, 90, 100].map((confidence) =>
    makeBelief(confidence, confidence > 60),
  );
  expect(computeCalibration(beliefs)!.steps).toEqual([
    { from: 50, to: 59, count: 2, right: 0, stated_bp: 5_450 },
    { from: 60, to: 69, count: 1, right: 0, stated_bp: 6_000 },
    { from: 80, to: 89, count: 1, right: 1, stated_bp: 8_900 },
    { from: 90, to: 100, count: 2, right: 2, stated_bp: 9_500 },
  ]);
});

const pairs = fc.array(fc.tuple(fc.integer({ min: 50, max: 100 }), fc.boolean()), {
  minLength: 1,
  maxLength: 60,
});

test("always saying 50 % scores 0.25 for any outcomes, and the counts add up", () => {
  fc.assert(
    fc.property(pairs, (outcomes) => {
      const half = computeCalibration(outcomes.map(([, right]) => makeBelief(50, right)))!;
      expect(half.brier).toBe(brierAtHalf);
      const calibration = computeCalibration(
        outcomes.map(([confidence, right]) => makeBelief(confidence, right)),
      )!;
      expect(calibration.brier).toBeGreaterThanOrEqual(0);
      expect(calibration.brier).toBeLessThanOrEqual(10_000);
      expect(calibration.steps.reduce((sum, { count }) => sum + count, 0)).toBe(outcomes.length);
      expect(calibration.steps.reduce((sum, { right }) => sum + right, 0)).toBe(calibration.right);
    }),
  );
});
