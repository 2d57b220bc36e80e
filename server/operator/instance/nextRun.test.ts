import { expect, test } from "vitest";
import { dayMs } from "#core/money/time.ts";
import { nextRun } from "#server/operator/instance/nextRun.ts";

const at = (text: string) => Date.parse(`2026-01-05T${text}Z`);

test.each<[string | number | null, string, number | null]>([
  [10, "00:00:01.000", at("00:00:11.000")],
  ["* * * * *", "00:00:00.000", at("00:01:00.000")],
  ["*/10 * * * *", "00:09:59.999", at("00:10:00.000")],
  ["*/10 * * * *", "00:10:00.000", at("00:20:00.000")],
  ["17 3 * * *", "03:16:00.000", at("03:17:00.000")],
  ["17 3 * * *", "03:17:00.000", at("03:17:00.000") + dayMs],
  [null, "00:00:00.000", null],
  ["0 0 1 * *", "00:00:00.000", null],
  ["*/0 * * * *", "00:00:00.000", null],
  ["61 * * * *", "00:00:00.000", null],
])("%s runs after %s at", (schedule, from, expected) => {
  expect(nextRun(schedule, at(from))).toBe(expected);
});
