import { expect, test } from "vitest";
import { type Binding, checkBinding, isBinding } from "./binding.ts";
import type { Second } from "./leaves.ts";
import { leafHash } from "./merkle.ts";

const hash = Buffer.alloc(32, 7);
const bound = (before: number, leaf: number): Binding => ({
  orders_count: 1,
  orders_index: 0,
  orders_path: [],
  before_leaf: before,
  bound_leaf: leaf,
});
const ordersRoot = Buffer.from(leafHash(hash));
const getMismatch = async (binding: Binding, seconds: Record<number, number>) => {
  const secondAt = async (leaf: number): Promise<Second | null> => {
    const second = seconds[leaf];
    if (second === undefined) return null;
    return { secondMs: second * 1_000, ordersCount: 1, ordersRoot, columns: [] };
  };
  await checkBinding("bound", binding, { atMs: 10_500, hash }, secondAt);
};

test.each<[string, Binding, Record<number, number>, string]>([
  ["after an earlier eligible second", bound(1, 3), { 1: 10, 2: 11, 3: 12 }, "bound_too_late"],
  ["by a repeated second", bound(1, 3), { 1: 10, 2: 10, 3: 11 }, "seconds_not_ascending"],
  ["5 000 leaves later", bound(1, 5_001), { 1: 10, 5001: 11 }, "bound_too_late"],
])("an order bound %s is refused", async (_title, binding, seconds, difference) => {
  await expect(getMismatch(binding, seconds)).rejects.toMatchObject({ step: "bound", difference });
});

test("an order may be bound 4 999 leaves later without a second in between", async () => {
  await expect(getMismatch(bound(1, 5_000), { 1: 10, 5000: 11 })).resolves.toBeUndefined();
});

test.each<[string, object, boolean]>([
  // After the end of a recording the leaf that binds may be any number of leaves later.
  ["ends far apart", { before_leaf: 1, bound_leaf: 1_000_000 }, true],
  ["a path of 64 hashes", { orders_path: Array.from({ length: 64 }, () => "0".repeat(64)) }, true],
  ["a path of 65 hashes", { orders_path: Array.from({ length: 65 }, () => "0".repeat(64)) }, false],
])("isBinding with %s", (_title, change, expected) => {
  expect(isBinding({ ...bound(1, 2), ...change })).toBe(expected);
});
