import { hexToBytes } from "#core/transparency-log/bytes.ts";
import { leafHash, verifyInclusion } from "#core/transparency-log/merkle.ts";
import { isCount, isHash } from "#core/transparency-log/schema.ts";
import type { SecondLeaf } from "#core/transparency-log/secondLeaf.ts";

/** Where in the log an order of any kind is bound (docs/formats/log.md, "Binding"). */
export interface Binding {
  /** The number of hashes in the binding leaf, the index of this one, and its inclusion path. */
  orders_count: number;
  orders_index: number;
  orders_path: string[];
  /** The last second before `bound_leaf`; 0 if there is none. */
  before_leaf: number;
  bound_leaf: number;
}

export type BindingMismatch =
  | "bound_leaf_not_a_second"
  | "bound_before_acceptance"
  | "bound_too_late"
  | "seconds_not_ascending"
  | "orders_count_differs"
  | "order_not_in_root";

/** The most leaves that may lie between the two: an order is bound by the next second. */
const bindingLeavesMax = 5_000;

/** Names of a binding's members. */
export const bindingMembers = "orders_count orders_index orders_path before_leaf bound_leaf";

export function isBinding(value: Partial<Record<keyof Binding, unknown>>): boolean {
  const { orders_path: path, before_leaf: before, bound_leaf: boundLeaf } = value;
  return (
    [value.orders_count, value.orders_index, before, boundLeaf].every(isCount) &&
    Array.isArray(path) &&
    path.length <= 64 &&
    path.every(isHash) &&
    (before as number) <= (boundLeaf as number)
  );
}

/** Ranges of the leaves that the check of a binding reads; both ends are inclusive. */
export function bindingRanges({
  before_leaf: before,
  bound_leaf: boundLeaf,
}: Pick<Binding, "before_leaf" | "bound_leaf">): [number, number][] {
  const ends: [number, number][] = [
    [before, before],
    [boundLeaf, boundLeaf],
  ];
  return boundLeaf - before < bindingLeavesMax ? [[before, boundLeaf]] : ends;
}

/** Reads `second` leaves: null where the log holds another kind. */
type SecondReader = (index: number) => SecondLeaf | null;

/**
 * Checks that the hash is bound by the first second that closed at or after its acceptance. Null if
 * it is.
 */
export function findBindingMismatch(
  binding: Binding,
  acceptedAtMs: number,
  hash: Uint8Array,
  secondAt: SecondReader,
): BindingMismatch | null {
  const leaf = secondAt(binding.bound_leaf);
  if (!leaf) return "bound_leaf_not_a_second";
  if (leaf.secondMs < acceptedAtMs) return "bound_before_acceptance";
  const ordersLeaf = { count: leaf.ordersCount, root: leaf.ordersRoot };
  return (
    delayMismatch(binding, acceptedAtMs, secondAt) ??
    findInclusionMismatch(binding, hash, ordersLeaf)
  );
}

export function findInclusionMismatch(
  binding: Binding,
  hash: Uint8Array,
  ordersLeaf: { count: number; root: Uint8Array },
): BindingMismatch | null {
  if (ordersLeaf.count !== binding.orders_count) return "orders_count_differs";
  const proof = {
    leaf: leafHash(hash),
    index: binding.orders_index,
    size: binding.orders_count,
    path: binding.orders_path.map(hexToBytes),
  };
  return verifyInclusion(proof, ordersLeaf.root) ? null : "order_not_in_root";
}

/**
 * Checks that no second after acceptance precedes the binding one, and that the receipt rules it
 * out. Anyone able to hold an order back could see its price first and drop the orders that do not
 * suit them; a second that repeats or precedes another was written with that knowledge.
 */
function delayMismatch(
  { before_leaf: first, bound_leaf: boundLeaf }: Binding,
  acceptedAtMs: number,
  secondAt: SecondReader,
): BindingMismatch | null {
  if (first >= boundLeaf || boundLeaf - first >= bindingLeavesMax) return "bound_too_late";
  if (first > 0 && secondAt(first) === null) return "bound_too_late";
  let lastMs = Number.NEGATIVE_INFINITY;
  for (let index = Math.max(first, 1); index <= boundLeaf; index += 1) {
    const second = secondAt(index);
    if (!second) continue;
    if (second.secondMs <= lastMs) return "seconds_not_ascending";
    if (index < boundLeaf && second.secondMs > acceptedAtMs) return "bound_too_late";
    lastMs = second.secondMs;
  }
  return null;
}
