import { expect, test } from "vitest";
import { dayMs, hourMs } from "#core/money/time.ts";
import { getSessionEnd } from "#core/session/lifetime.ts";

const session = { expiresAtMs: dayMs, endedAtMs: null, endedBy: null };

test.each([
  ["used just now is open", { ...session, lastSeenAtMs: hourMs }, hourMs, null],
  ["one millisecond short of idle is open", { ...session, lastSeenAtMs: 0 }, 2 * hourMs - 1, null],
  [
    "idle for two hours ends",
    { ...session, lastSeenAtMs: 0 },
    2 * hourMs,
    { atMs: 2 * hourMs, why: "idle" },
  ],
  [
    "in constant use expires after a day",
    { ...session, lastSeenAtMs: 23 * hourMs },
    dayMs,
    { atMs: dayMs, why: "expired" },
  ],
  [
    "that ended and then idled keeps its first end",
    { ...session, lastSeenAtMs: 0, endedAtMs: 5, endedBy: "limit" as const },
    dayMs,
    { atMs: 5, why: "limit" },
  ],
  [
    "ended by a restore names the operator",
    { ...session, lastSeenAtMs: 0, endedAtMs: 5 },
    dayMs,
    { atMs: 5, why: "operator" },
  ],
])("a session %s", (_what, times, nowMs, end) => {
  expect(getSessionEnd(times, nowMs)).toEqual(end);
});
