import { describe, expect, test } from "vitest";
import { createSettableClock } from "#server/testing/testContext.ts";
import { createDrivenClock, createRunningClock, hasEnded } from "./clock.ts";

describe("a running clock", () => {
  test.each([
    [1, 10_000, 510_000],
    [60, 10_000, 1_100_000],
    [60, 500, 530_000],
  ])("at speed %i the time %i ms after the anchor is %i", (speed, passedMs, expected) => {
    const real = createSettableClock(1000);
    const clock = createRunningClock({ worldMs: 500_000, realMs: 1000, speed }, real);
    real.advanceMs(passedMs);
    expect(clock.nowMs()).toBe(expected);
  });

  test("time continues during downtime, as a new clock on the same anchor agrees", () => {
    const real = createSettableClock(1000);
    const anchor = { worldMs: 500_000, realMs: 1000, speed: 7 };
    const before = createRunningClock(anchor, real);
    real.advanceMs(3_600_000);
    expect(createRunningClock(anchor, real).nowMs()).toBe(before.nowMs());
  });

  test("time never goes back, even when real time does", () => {
    const real = createSettableClock(5000);
    const clock = createRunningClock({ worldMs: 0, realMs: 0, speed: 1 }, real);
    expect(clock.nowMs()).toBe(5000);
    real.setMs(4000);
    expect(clock.nowMs()).toBe(5000);
  });

  test("an aborted wait rejects with the reason", async () => {
    const clock = createRunningClock({ worldMs: 0, realMs: 0, speed: 1 }, createSettableClock(0));
    const aborter = new AbortController();
    const pendingWait = clock.until(1e9, aborter.signal);
    aborter.abort(new Error("stopping"));
    await expect(pendingWait).rejects.toThrow("stopping");
  });
});

describe("a clock that is paused", () => {
  const anchor = { worldMs: 0, realMs: 0, speed: 2 };
  const pause = { ordinal: 1, atMs: 20_000, resumedRealMs: null };

  test("time stops at the pause and resumes from there", () => {
    const real = createSettableClock(9_000);
    const clock = createRunningClock(anchor, real);
    clock.applyPause(pause);
    expect([clock.nowMs(), clock.pause()]).toEqual([18_000, { atMs: 20_000, isReached: false }]);
    real.setMs(50_000);
    expect([clock.nowMs(), clock.pause()]).toEqual([20_000, { atMs: 20_000, isReached: true }]);
    clock.applyPause({ ...pause, resumedRealMs: 60_000 });
    real.setMs(65_000);
    expect([clock.nowMs(), clock.pause()]).toEqual([30_000, null]);
    expect([clock.pausedSinceMs(0), clock.pausedSinceMs(40_000)]).toEqual([50_000, 20_000]);
  });

  test("a process that starts later agrees, regardless of the order in which it learns of pauses", () => {
    const pauses = [
      { ordinal: 1, atMs: 20_000, resumedRealMs: 60_000 },
      { ordinal: 2, atMs: 30_000, resumedRealMs: 62_000 }, // called off
      { ordinal: 3, atMs: 40_000, resumedRealMs: 90_000 },
    ];
    const times = [pauses, pauses.toReversed()].map((order) => {
      const clock = createRunningClock(anchor, createSettableClock(95_000));
      for (const item of order) clock.applyPause(item);
      return clock.nowMs();
    });
    expect(times).toEqual([50_000, 50_000]);
  });

  test("a clock that learns of a pause's end late jumps forward and never back", () => {
    const real = createSettableClock(11_000);
    const clock = createRunningClock(anchor, real);
    expect(clock.nowMs()).toBe(22_000);
    clock.applyPause(pause);
    expect(clock.nowMs()).toBe(22_000);
    real.setMs(70_000);
    clock.applyPause({ ...pause, resumedRealMs: 60_000 });
    expect(clock.nowMs()).toBe(40_000);
  });

  test("a pause whose end is announced holds until then", () => {
    const real = createSettableClock(30_000);
    const clock = createRunningClock(anchor, real);
    clock.applyPause({ ...pause, resumedRealMs: 32_000 });
    expect([clock.nowMs(), clock.pause()]).toEqual([20_000, { atMs: 20_000, isReached: true }]);
    real.setMs(33_000);
    expect([clock.nowMs(), clock.pause()]).toEqual([22_000, null]);
  });

  test("a reading from before its end was announced changes nothing", () => {
    const real = createSettableClock(65_000);
    const clock = createRunningClock(anchor, real);
    clock.applyPause({ ...pause, resumedRealMs: 60_000 });
    clock.applyPause(pause);
    expect([clock.nowMs(), clock.pause()]).toEqual([30_000, null]);
  });

  test("a wait for a time after the pause ends once time has resumed", async () => {
    const real = createSettableClock(30_000);
    const clock = createRunningClock(anchor, real);
    clock.applyPause(pause);
    let hasWoken = false;
    const pendingWait = clock.until(24_000).then(() => {
      hasWoken = true;
    });
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(hasWoken).toBe(false);
    real.setMs(42_000);
    clock.applyPause({ ...pause, resumedRealMs: 40_000 });
    await pendingWait;
  });
});

describe("a driven clock", () => {
  test("a driven clock stops at a pause", () => {
    const clock = createDrivenClock(1_000);
    clock.applyPause({ ordinal: 1, atMs: 5_000, resumedRealMs: null });
    clock.advanceTo(9_000);
    expect([clock.nowMs(), clock.uncappedMs(), clock.pause()?.isReached]).toEqual([
      5_000,
      5_000,
      true,
    ]);
    clock.applyPause({ ordinal: 1, atMs: 5_000, resumedRealMs: 1 });
    clock.advanceTo(9_000);
    expect(clock.nowMs()).toBe(9_000);
  });

  test("advancing wakes due waiters, and going back throws", async () => {
    const clock = createDrivenClock(1000);
    const wokenAtMs: number[] = [];
    const waits = [1500, 3000].map((atMs) => clock.until(atMs).then(() => wokenAtMs.push(atMs)));
    clock.advanceTo(2000);
    await waits[0];
    expect(wokenAtMs).toEqual([1500]);
    expect(() => clock.advanceTo(1999)).toThrow(RangeError);
    clock.advanceTo(3000);
    await waits[1];
    expect(wokenAtMs).toEqual([1500, 3000]);
  });
});

describe("a clock that ends", () => {
  test.each([
    "running",
    "driven",
  ] as const)("a %s clock stops at its end and reports its unpaused time", (kind) => {
    const real = createSettableClock(0);
    const driven = createDrivenClock(0, 60_000);
    const running = createRunningClock({ worldMs: 0, realMs: 0, speed: 60, endMs: 60_000 }, real);
    const clock = kind === "driven" ? driven : running;
    const moveTo = (atMs: number) => {
      real.setMs(atMs / 60);
      driven.advanceTo(atMs);
    };
    moveTo(59_940);
    expect([clock.nowMs(), clock.uncappedMs(), hasEnded(clock)]).toEqual([59_940, 59_940, false]);
    moveTo(60_000);
    expect([clock.nowMs(), clock.uncappedMs(), hasEnded(clock)]).toEqual([60_000, 60_000, true]);
    moveTo(90_000);
    expect([clock.nowMs(), clock.uncappedMs(), hasEnded(clock)]).toEqual([60_000, 90_000, true]);
  });
});
