import { expect, test } from "vitest";
import { createTtlCache } from "#server/platform/ttlCache.ts";

function createMemory(answer: () => Promise<number> | number) {
  const clock = { atMs: 1_000, nowMs: () => clock.atMs };
  let readCount = 0;
  const memory = createTtlCache<string, number>(
    async () => {
      readCount += 1;
      return await answer();
    },
    { ttlMs: 100, clock, shouldCache: (value) => value > 0, entriesMax: 3 },
  );
  return { clock, memory, reads: () => readCount };
}

test("an answer is cached for its time and no longer", async () => {
  const { clock, memory, reads } = createMemory(() => 5);
  await memory.get("a");
  clock.atMs += 99;
  expect(await memory.get("a")).toBe(5);
  expect(reads()).toBe(1);
  clock.atMs += 1;
  await memory.get("a");
  expect(reads()).toBe(2);
});

test("an uncacheable answer is read each time, and keys are independent", async () => {
  let value = 0;
  const { memory, reads } = createMemory(() => value);
  await memory.get("a");
  value = 1;
  expect(await memory.get("a")).toBe(1);
  await memory.get("b");
  expect(reads()).toBe(3);
});

test("an invalidated answer is read again, even one in flight", async () => {
  const answers = [Promise.withResolvers<number>(), Promise.withResolvers<number>()];
  let next = 0;
  const { memory, reads } = createMemory(() => answers[next++]!.promise);
  const oldRead = memory.get("a");
  memory.invalidate("a");
  answers[0]!.resolve(1);
  answers[1]!.resolve(2);
  expect(await oldRead).toBe(1);
  expect([await memory.get("a"), await memory.get("a")]).toEqual([2, 2]);
  expect(reads()).toBe(2);
});

test("answers with a stale value are read again, including ones in flight", async () => {
  const answers = new Map([1, 2, 3].map((value) => [value, Promise.withResolvers<number>()]));
  let next = 1;
  const { memory, reads } = createMemory(() => answers.get(next++)?.promise ?? 9);
  const [first, second] = [memory.get("a"), memory.get("b")];
  answers.get(1)!.resolve(1);
  answers.get(2)!.resolve(2);
  await Promise.all([first, second]);
  const lateRead = memory.get("c");
  memory.invalidateWhere((value) => value === 1);
  answers.get(3)!.resolve(3);
  expect(await lateRead).toBe(3);
  expect(await memory.get("b")).toBe(2);
  expect(reads()).toBe(3);
  expect([await memory.get("a"), await memory.get("c")]).toEqual([9, 9]);
});

test("a full cache is cleared", async () => {
  const { memory, reads } = createMemory(() => 5);
  for (const key of ["a", "b", "c", "a", "d", "d", "a"]) await memory.get(key);
  expect(reads()).toBe(5);
});
