import { expect, test } from "vitest";
import { toRelative } from "#ui/figures/relativeTime.ts";

const nowMs = Date.UTC(2026, 0, 31);
const [minute, hour, day] = [60_000, 3_600_000, 86_400_000];

test.each([
  ["less than a minute is now", 59_999, 0, "second"],
  ["a clock that is a little behind is now", -30_000, 0, "second"],
  ["a minute", minute, -1, "minute"],
  ["whole minutes only", 2 * minute - 1, -1, "minute"],
  ["an hour", hour, -1, "hour"],
  ["the last hour of a day", day - 1, -23, "hour"],
  ["a day", day, -1, "day"],
  ["thirty days", 30 * day, -30, "day"],
] as const)("%s", (_title, ageMs, value, unit) => {
  expect(toRelative(nowMs - ageMs, nowMs)).toEqual({ value, unit });
});

test.each([
  ["more than thirty days ago", 30 * day + 1],
  ["in the future", -2 * minute],
])("a moment %s is a date", (_title, ageMs) => {
  expect(toRelative(nowMs - ageMs, nowMs)).toBeNull();
});
