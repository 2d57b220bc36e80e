import { expect, test } from "vitest";
import {
  computeHistoryGrid,
  historyPointsMax,
  historyRangeNames,
} from "#core/wallet/balanceHistory.ts";

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const nowMs = Date.UTC(2026, 0, 5, 13, 7, 23);

test.each([
  ["day", 400 * day, 15 * minute, "5m"],
  ["week", 400 * day, 2 * hour, "5m"],
  ["month", 400 * day, 6 * hour, "5m"],
  ["all", 400 * day, 4 * day, "5m"],
  // A young attempt is charted in fine steps for any range.
  ["all", 90 * minute, minute, "1m"],
  ["day", 90 * minute, minute, "1m"],
  ["week", 3 * hour, 5 * minute, "5m"],
] as const)("%s of an attempt %i ms old: a point every %i ms", (range, age, stepMs, interval) => {
  const grid = computeHistoryGrid(range, nowMs - age, nowMs);
  expect([grid.stepMs, grid.interval]).toEqual([stepMs, interval]);
});

test("at most 120 points are multiples of the step, after the start and not after now", () => {
  for (const range of historyRangeNames) {
    for (let age = 1_000; age < 4_000 * day; age = Math.floor(age * 1.7)) {
      const startMs = nowMs - age;
      const { points, stepMs } = computeHistoryGrid(range, startMs, nowMs);
      expect(points.length).toBeLessThanOrEqual(historyPointsMax);
      expect(points.every((atMs) => atMs % stepMs === 0 && atMs > startMs && atMs <= nowMs)).toBe(
        true,
      );
      expect(new Set(points).size).toBe(points.length);
    }
  }
});

test("a new attempt has no points", () => {
  expect(computeHistoryGrid("day", nowMs, nowMs).points).toEqual([]);
});
