import { expect, test } from "vitest";
import { createSettableClock } from "#server/testing/testContext.ts";
import { createRateLimit, keysMax } from "./rateLimit.ts";

const tenAtOnce = { perSecond: 2, burst: 10 };
const takeMany = (limit: ReturnType<typeof createRateLimit>, key: string, count: number) =>
  Array.from({ length: count }, () => limit.take(key)).filter((wait) => wait === null).length;

test("a burst is allowed, then the average, and never more than a burst after a rest", () => {
  const clock = createSettableClock(0);
  const limit = createRateLimit(tenAtOnce, clock);
  expect(takeMany(limit, "a", 20)).toBe(10);
  clock.advanceMs(1000);
  expect(takeMany(limit, "a", 20)).toBe(2);
  clock.advanceMs(3_600_000);
  expect(takeMany(limit, "a", 20)).toBe(10);
});

test("keys are limited independently, and a refusal returns the wait", () => {
  const clock = createSettableClock(0);
  const limit = createRateLimit({ perSecond: 0.1, burst: 1 }, clock);
  expect([limit.take("a"), limit.take("a"), limit.take("b")]).toEqual([null, 10, null]);
});

test("a refused call reports the wait and the limit's name", () => {
  const limit = createRateLimit({ perSecond: 0.1, burst: 1 }, createSettableClock(0));
  const refusal = (name?: string) => {
    try {
      return limit.require("a", name);
    } catch (error) {
      return error;
    }
  };
  expect(refusal()).toBeUndefined();
  const wait = { retry_after_seconds: 10 };
  expect(refusal()).toMatchObject({ error: "request.too_many", data: wait });
  expect(refusal("calls")).toMatchObject({ data: { ...wait, limit: "calls" } });
});

test("a charge creates a debt of at most one burst, which time pays off", () => {
  const clock = createSettableClock(0);
  const limit = createRateLimit(tenAtOnce, clock);
  limit.charge("a", 10_000);
  expect(limit.take("a")).toBe(6);
  clock.advanceMs(5_000);
  expect(limit.take("a")).toBe(1);
  clock.advanceMs(500);
  expect(limit.take("a")).toBeNull();
});

test("the number of keys is bounded, and idle ones are evicted first", () => {
  const clock = createSettableClock(0);
  const limit = createRateLimit({ perSecond: 0.001, burst: 1 }, clock);
  limit.take("idle");
  limit.take("kept");
  for (let number = 0; number < keysMax + 1000; number += 1) {
    limit.take(`flood ${number}`);
    if (number % 1000 === 0) limit.take("kept");
  }
  expect(limit.size()).toBe(keysMax);
  expect(limit.take("kept")).not.toBeNull();
  expect(limit.take("idle")).toBeNull();
});

test("setting the clock back costs no tokens", () => {
  const clock = createSettableClock(7_200_000);
  const limit = createRateLimit({ perSecond: 2, burst: 3 }, clock);
  expect(limit.take("a")).toBeNull();
  clock.setMs(3_600_000);
  expect([limit.take("a"), limit.take("a"), limit.take("a")]).toEqual([null, null, 1]);
});

test("full buckets are evicted", () => {
  const clock = createSettableClock(0);
  const limit = createRateLimit(tenAtOnce, clock);
  for (let number = 0; number < 100; number += 1) limit.take(String(number));
  clock.advanceMs(10_000);
  limit.take("another");
  expect(limit.size()).toBe(1);
});
