import { expect, test } from "vitest";
import { createSettableClock, testStartMs } from "#server/testing/testContext.ts";
import { createGrowthMeter } from "./growth.ts";

/** A log that grows by `perSecond` leaves of 100 bytes each and counts the leaves read. */
function createLog(count: number, perSecond: number) {
  let readCount = 0;
  const clock = createSettableClock(testStartMs);
  const meter = createGrowthMeter(clock, {
    count: async () => count,
    leaves: async (from, to) => {
      readCount += to - from;
      return Array.from({ length: to - from }, (_, index) => ({
        kind: "second" as const,
        leaf: from + index,
        bytes: new Uint8Array(100),
        atMs: testStartMs + Math.floor((from + index) * (1_000 / perSecond)),
      }));
    },
  });
  return { clock, grown: meter, read: () => readCount };
}

/** An entry, its length, and the hashes of full tiles over it. */
const leafBytes = 100 + 2 + (32 * 256) / 255;

test.each([
  [1, 10_000, 4_096],
  [70, 10_000, 4_097],
  [1_000, 300_000, 4_098],
])("growth at %i leaves a second is measured over a minute", async (perSecond, count, reads) => {
  const { grown, read } = createLog(count, perSecond);
  const expected = leafBytes * perSecond * 86_400;
  expect((await grown())! / expected).toBeCloseTo(1, 2);
  expect(read()).toBe(reads);
});

test.each([0, 40, 50_000])("%i leaves of the same moment have no rate", async (count) => {
  expect(await createLog(count, 1_000).grown()).toBeNull();
});

test("a rate is cached for a minute and its absence for five seconds", async () => {
  for (const [count, keptMs] of [
    [50_000, 5_000],
    [300_000, 60_000],
  ] as const) {
    const { clock, grown, read } = createLog(count, 1_000);
    await Promise.all([grown(), grown()]);
    clock.advanceMs(keptMs - 1);
    await grown();
    const firstRead = read();
    expect(firstRead).toBeLessThan(4_110);
    clock.advanceMs(1);
    await grown();
    expect(read()).toBe(2 * firstRead);
  }
});
