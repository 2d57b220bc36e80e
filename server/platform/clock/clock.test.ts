import { describe, expect, test } from "vitest";
import { createSettableClock } from "#server/testing/testContext.ts";
import { createDrivenClock, createRunningClock, isPaused } from "./clock.ts";

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
    const waiting = clock.until(1e9, aborter.signal);
    aborter.abort(new Error("stopping"));
    await expect(waiting).rejects.toThrow("stopping");
  });
});

describe("a driven clock", () => {
  test("advancing wakes due waiters, and going back throws", async () => {
    const clock = createDrivenClock(1000);
    const woken: number[] = [];
    const waits = [1500, 3000].map((atMs) => clock.until(atMs).then(() => woken.push(atMs)));
    clock.advanceTo(2000);
    await waits[0];
    expect(woken).toEqual([1500]);
    expect(() => clock.advanceTo(1999)).toThrow(RangeError);
    clock.advanceTo(3000);
    await waits[1];
    expect(woken).toEqual([1500, 3000]);
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
    expect([clock.nowMs(), clock.unpausedMs(), isPaused(clock)]).toEqual([59_940, 59_940, false]);
    moveTo(60_000);
    expect([clock.nowMs(), clock.unpausedMs(), isPaused(clock)]).toEqual([60_000, 60_000, true]);
    moveTo(90_000);
    expect([clock.nowMs(), clock.unpausedMs(), isPaused(clock)]).toEqual([60_000, 90_000, true]);
  });
});
