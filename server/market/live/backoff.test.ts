import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createBackoff } from "#server/market/live/backoff.ts";

// Vitest does not fake the timers of this module.
vi.mock("node:timers/promises", () => ({
  setTimeout: (ms: number) => new Promise((resolve) => void setTimeout(resolve, ms)),
}));

const { signal } = new AbortController();
beforeEach(() => void vi.useFakeTimers({ toFake: ["performance", "setTimeout"] }));
afterEach(() => void vi.useRealTimers());

/** How long a wait takes, in milliseconds. */
async function lengthOf(wait: Promise<void>): Promise<number> {
  const fromMs = performance.now();
  let tookMs: number | null = null;
  void wait.then(() => {
    tookMs = performance.now() - fromMs;
  });
  while (tookMs === null) await vi.advanceTimersByTimeAsync(500);
  return tookMs;
}

test.each([
  [0, [1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 40_000, 40_000]],
  [1, [1_500, 3_000, 6_000, 12_000, 24_000, 48_000, 60_000, 60_000]],
])("a wait doubles up to 60 s with a spread of %d", async (spread, lengths) => {
  const backoff = createBackoff(() => spread);
  for (const ms of lengths)
    expect(await lengthOf(backoff.wait("unreachable", signal))).toBeCloseTo(ms, 0);
});

test("all subscriptions that fail together wait once", async () => {
  const backoff = createBackoff(() => 0);
  const waits = Array.from({ length: 16 }, () => backoff.wait("unreachable", signal));
  expect(await lengthOf(Promise.all(waits).then(() => {}))).toBe(1_000);
  expect(await lengthOf(backoff.wait("unreachable", signal))).toBe(2_000);
});

test("a venue that asks to slow down is left alone for 30 s at least", async () => {
  const backoff = createBackoff(() => 0);
  expect(await lengthOf(backoff.wait("rate_limited", signal))).toBe(30_000);
  expect(await lengthOf(backoff.wait("rate_limited", signal))).toBe(40_000);
});

test("a failure after a working connection waits a second, not the longest wait", async () => {
  const backoff = createBackoff(() => 0);
  for (let index = 0; index < 5; index += 1) await lengthOf(backoff.wait("unreachable", signal));
  const long = backoff.wait("unreachable", signal);
  backoff.reset();
  expect(await lengthOf(backoff.wait("unreachable", signal))).toBe(1_000);
  expect(await lengthOf(long)).toBe(31_000);
});
