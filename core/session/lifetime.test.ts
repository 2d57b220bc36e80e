import { expect, test } from "vitest";
import { dayMs, hourMs } from "#core/money/time.ts";
import { endOfSession } from "#core/session/lifetime.ts";

const opened = { expiresAtMs: dayMs, endedAtMs: null, endedBy: null };

test.each([
  ["used just now is open", { ...opened, lastSeenAtMs: hourMs }, hourMs, null],
  ["one millisecond short of idle is open", { ...opened, lastSeenAtMs: 0 }, 2 * hourMs - 1, null],
  [
    "idle for two hours ends",
    { ...opened, lastSeenAtMs: 0 },
    2 * hourMs,
    { atMs: 2 * hourMs, why: "idle" },
  ],
  [
    "in constant use expires after a day",
    { ...opened, lastSeenAtMs: 23 * hourMs },
    dayMs,
    { atMs: dayMs, why: "expired" },
  ],
  [
    "that ended and then idled keeps its first end",
    { ...opened, lastSeenAtMs: 0, endedAtMs: 5, endedBy: "limit" as const },
    dayMs,
    { atMs: 5, why: "limit" },
  ],
  [
    "ended by a restore names the operator",
    { ...opened, lastSeenAtMs: 0, endedAtMs: 5 },
    dayMs,
    { atMs: 5, why: "operator" },
  ],
])("a session %s", (_what, times, nowMs, end) => {
  expect(endOfSession(times, nowMs)).toEqual(end);
});
