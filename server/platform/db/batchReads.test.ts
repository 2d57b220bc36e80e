import { expect, test } from "vitest";
import { batchReads } from "#server/platform/db/batchReads.ts";

/** A reader whose reads the test completes one by one. */
function createReader(keysMax?: number) {
  const reads: { keys: string[]; end: PromiseWithResolvers<ReadonlyMap<string, number>> }[] = [];
  const readKey = batchReads<string, number>((keys) => {
    const end = Promise.withResolvers<ReadonlyMap<string, number>>();
    reads.push({ keys, end });
    return end.promise;
  }, keysMax);
  const nextTurn = () => new Promise((resolve) => setImmediate(resolve));
  const lengths = (keys: string[]) => new Map(keys.map((key) => [key, key.length]));
  return { reads, read: readKey, turn: nextTurn, lengths };
}

test("keys requested in one turn are read together, each once", async () => {
  const { reads, read, turn, lengths } = createReader();
  const promise = Promise.all([read("a"), read("bb"), read("a"), read("none")]);
  await turn();
  expect(reads.map(({ keys }) => keys)).toEqual([["a", "bb", "none"]]);
  reads[0]!.end.resolve(lengths(["a", "bb"]));
  expect(await promise).toEqual([1, 2, 1, undefined]);
});

test("a key requested during its read is read again afterwards", async () => {
  const { reads, read, turn, lengths } = createReader();
  const first = read("a");
  await turn();
  const second = read("a");
  await turn();
  expect(reads).toHaveLength(1);
  reads[0]!.end.resolve(new Map([["a", 7]]));
  expect(await first).toBe(7);
  expect(reads).toHaveLength(2);
  reads[1]!.end.resolve(lengths(["a"]));
  expect(await second).toBe(1);
});

test("a failed read fails only its own callers", async () => {
  const { reads, read, turn, lengths } = createReader();
  const first = read("a");
  await turn();
  const second = read("bb");
  reads[0]!.end.reject(new Error("no database"));
  await expect(first).rejects.toThrow("no database");
  await turn();
  reads[1]!.end.resolve(lengths(["bb"]));
  expect(await second).toBe(2);
});

test("keys beyond the limit are read in several batches", async () => {
  const { reads, read, turn, lengths } = createReader(2);
  const promise = Promise.all(["a", "b", "c"].map((key) => read(key)));
  await turn();
  reads[0]!.end.resolve(lengths(["a", "b"]));
  await turn();
  reads[1]!.end.resolve(lengths(["c"]));
  expect(await promise).toEqual([1, 1, 1]);
  expect(reads.map(({ keys }) => keys)).toEqual([["a", "b"], ["c"]]);
});
