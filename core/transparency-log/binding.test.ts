import { describe, expect, test } from "vitest";
import { leafHash, treeRoot } from "#core/transparency-log/merkle.ts";
import type { SecondLeaf } from "#core/transparency-log/secondLeaf.ts";
import { type Binding, bindingRanges, findBindingMismatch, isBinding } from "./binding.ts";

const hash = new Uint8Array(32).fill(7);
const acceptedAtMs = 10_500;
const secondAt = (second: number): SecondLeaf => ({
  secondMs: second * 1_000,
  ordersCount: 1,
  ordersRoot: treeRoot([leafHash(hash)]),
  index: [],
  quotes: [],
});
const bound = (before: number, leaf: number): Binding => ({
  orders_count: 1,
  orders_index: 0,
  orders_path: [],
  before_leaf: before,
  bound_leaf: leaf,
});
const difference = (binding: Binding, seconds: Record<number, number>) =>
  findBindingMismatch(binding, acceptedAtMs, hash, (leaf) =>
    seconds[leaf] === undefined ? null : secondAt(seconds[leaf]),
  );

describe("findBindingMismatch", () => {
  test.each<[string, Binding, Record<number, number>, string | null]>([
    ["the next second binds an order", bound(1, 2), { 1: 10, 2: 11 }, null],
    ["the first second of the log binds an order", bound(0, 2), { 2: 11 }, null],
    ["leaves of other kinds may lie between", bound(1, 5), { 1: 10, 5: 11 }, null],
    ["a leaf that is not a second cannot bind", bound(1, 2), { 1: 10 }, "bound_leaf_not_a_second"],
    [
      "a second before acceptance cannot bind",
      bound(1, 2),
      { 1: 9, 2: 10 },
      "bound_before_acceptance",
    ],
    [
      "a second after the first eligible one is too late",
      bound(1, 3),
      { 1: 10, 2: 11, 3: 12 },
      "bound_too_late",
    ],
    [
      "a binding without its preceding second is too late",
      bound(1, 2),
      { 2: 11 },
      "bound_too_late",
    ],
    ["a leaf cannot precede itself", bound(2, 2), { 2: 11 }, "bound_too_late"],
    ["a repeated second is refused", bound(1, 3), { 1: 10, 2: 10, 3: 11 }, "seconds_not_ascending"],
    [
      "a preceding second after acceptance is too late",
      bound(1, 2),
      { 1: 11, 2: 11 },
      "bound_too_late",
    ],
    ["a binding 4 999 leaves later is accepted", bound(1, 5_000), { 1: 10, 5000: 11 }, null],
    [
      "a binding 5 000 leaves later is too late",
      bound(1, 5_001),
      { 1: 10, 5001: 11 },
      "bound_too_late",
    ],
  ])("%s", (_title, binding, seconds, expected) => {
    expect(difference(binding, seconds)).toBe(expected);
  });
});

test("bindingRanges returns the whole span up to the limit and only its ends beyond it", () => {
  expect(bindingRanges(bound(1, 5_000))).toEqual([[1, 5_000]]);
  expect(bindingRanges(bound(1, 5_001))).toEqual([
    [1, 1],
    [5_001, 5_001],
  ]);
});

test.each<[string, object, boolean]>([
  // After the end of a recording the leaf that binds may be any number of leaves later.
  ["ends far apart", { before_leaf: 1, bound_leaf: 1_000_000 }, true],
  ["ends in reverse order", { before_leaf: 2, bound_leaf: 1 }, false],
  ["a path of 64 hashes", { orders_path: Array.from({ length: 64 }, () => "0".repeat(64)) }, true],
  ["a path of 65 hashes", { orders_path: Array.from({ length: 65 }, () => "0".repeat(64)) }, false],
])("isBinding with %s", (_title, change, expected) => {
  expect(isBinding({ ...bound(1, 2), ...change })).toBe(expected);
});
