import { describe, expect, test } from "vitest";
import { leafHash, treeRoot } from "#core/transparency-log/merkle.ts";
import type { SecondLeaf } from "#core/transparency-log/secondLeaf.ts";
import { type Binding, bindingMismatch, bindingRanges, isBinding } from "./binding.ts";

const hash = new Uint8Array(32).fill(7);
const acceptedAtMs = 10_500;
const secondAt = (second: number): SecondLeaf => ({
  secondMs: second * 1_000,
  ordersCount: 1,
  ordersRoot: treeRoot([leafHash(hash)]),
  index: [],
  quotes: [],
});
const bound = (before: number, at: number): Binding => ({
  orders_count: 1,
  orders_index: 0,
  orders_path: [],
  before_leaf: before,
  bound_leaf: at,
});
const difference = (binding: Binding, seconds: Record<number, number>) =>
  bindingMismatch(binding, acceptedAtMs, hash, (leaf) =>
    seconds[leaf] === undefined ? null : secondAt(seconds[leaf]),
  );

describe("an order is bound", () => {
  test.each<[string, Binding, Record<number, number>, string | null]>([
    ["by the next second", bound(1, 2), { 1: 10, 2: 11 }, null],
    ["by the first second of the log", bound(0, 2), { 2: 11 }, null],
    ["with leaves of other kinds between", bound(1, 5), { 1: 10, 5: 11 }, null],
    ["by no second", bound(1, 2), { 1: 10 }, "bound_leaf_not_a_second"],
    ["before it was accepted", bound(1, 2), { 1: 9, 2: 10 }, "bound_before_acceptance"],
    ["after a second that could have", bound(1, 3), { 1: 10, 2: 11, 3: 12 }, "bound_too_late"],
    ["after no second that is shown", bound(1, 2), { 2: 11 }, "bound_too_late"],
    ["by the leaf before it", bound(2, 2), { 2: 11 }, "bound_too_late"],
    ["by a second that is repeated", bound(1, 3), { 1: 10, 2: 10, 3: 11 }, "seconds_not_ascending"],
    ["after a later second", bound(1, 2), { 1: 11, 2: 11 }, "bound_too_late"],
    ["4 999 leaves later", bound(1, 5_000), { 1: 10, 5000: 11 }, null],
    ["5 000 leaves later", bound(1, 5_001), { 1: 10, 5001: 11 }, "bound_too_late"],
  ])("%s", (_title, binding, seconds, expected) => {
    expect(difference(binding, seconds)).toBe(expected);
  });
});

test("a check asks for both ends, and for what lies between only as far as it reads", () => {
  expect(bindingRanges(bound(1, 5_000))).toEqual([[1, 5_000]]);
  expect(bindingRanges(bound(1, 5_001))).toEqual([
    [1, 1],
    [5_001, 5_001],
  ]);
});

test.each<[string, object, boolean]>([
  // After the end of a recording the leaf that binds may be any number of leaves later.
  ["ends far apart", { before_leaf: 1, bound_leaf: 1_000_000 }, true],
  ["ends the other way round", { before_leaf: 2, bound_leaf: 1 }, false],
  ["a path of 64 hashes", { orders_path: Array.from({ length: 64 }, () => "0".repeat(64)) }, true],
  ["a path of 65 hashes", { orders_path: Array.from({ length: 65 }, () => "0".repeat(64)) }, false],
])("the form of %s", (_title, change, expected) => {
  expect(isBinding({ ...bound(1, 2), ...change })).toBe(expected);
});
