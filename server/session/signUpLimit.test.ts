import { expect, test } from "vitest";
import { createSignUpLimit } from "#server/session/signUpLimit.ts";

test("a network may create 300 accounts in a burst, then one every twelve seconds", () => {
  let nowMs = 1_000_000;
  const limit = createSignUpLimit({ nowMs: () => nowMs });
  const getOutcome = (ip: string) => {
    try {
      limit(ip);
      return "created";
    } catch (error) {
      return (error as { error: string; data: object }).data;
    }
  };
  for (let n = 0; n < 300; n += 1) expect(getOutcome("203.0.113.9")).toBe("created");
  expect(getOutcome("203.0.113.9")).toEqual({ retry_after_seconds: 12, minutes: 1 });
  expect(getOutcome("203.0.113.10")).toBe("created");
  nowMs += 12_000;
  expect(getOutcome("203.0.113.9")).toBe("created");
  expect(getOutcome("203.0.113.9")).not.toBe("created");
  for (let n = 0; n < 300; n += 1)
    expect(getOutcome(`2001:db8:1:${n.toString(16)}::1`)).toBe("created");
  expect(getOutcome("2001:db8:1:ffff::1")).not.toBe("created");
});
