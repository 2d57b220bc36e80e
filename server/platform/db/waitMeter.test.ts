import { expect, test } from "vitest";
import { createWaitMeter } from "#server/platform/db/waitMeter.ts";

test("longestMs covers the last half to whole minute, including waits in progress", () => {
  let nowMs = 0;
  const meter = createWaitMeter(() => nowMs);
  const pass = (ms: number) => {
    nowMs += ms;
  };
  expect(meter.longestMs()).toBe(0);
  const endFirst = meter.begin();
  pass(40);
  expect(meter.longestMs()).toBe(40);
  const endSecond = meter.begin();
  endFirst();
  pass(10);
  endSecond();
  endSecond();
  expect(meter.longestMs()).toBe(40);
  pass(30_000);
  expect(meter.longestMs()).toBe(40);
  const endShort = meter.begin();
  pass(5);
  endShort();
  pass(30_000);
  expect(meter.longestMs()).toBe(5);
  pass(60_000);
  expect(meter.longestMs()).toBe(0);
});
