import { MismatchError } from "./bytes.ts";
import type { Second } from "./leaves.ts";
import { leafHash, provesInclusion } from "./merkle.ts";

/** "Binding" of docs/formats/log.md: the first second after its acceptance holds an order's hash. */
export interface Binding {
  orders_count: number;
  orders_index: number;
  orders_path: string[];
  before_leaf: number;
  bound_leaf: number;
}

/** The most leaves that a receipt may ask for in one range. */
export const rangeMax = 5_000;
/** No tree of fewer than 2^64 leaves is deeper. */
const pathMax = 64;

const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0;
const isHash = (value: unknown): boolean =>
  typeof value === "string" && /^[0-9a-f]{64}$/.test(value);

/** Returns true if the members of a binding have their form. */
export function isBinding(binding: { readonly [Member in keyof Binding]: unknown }): boolean {
  const { orders_count, orders_index, orders_path: path, before_leaf, bound_leaf } = binding;
  return (
    [orders_count, orders_index, before_leaf, bound_leaf].every(isCount) &&
    Array.isArray(path) &&
    path.length <= pathMax &&
    path.every(isHash) &&
    (before_leaf as number) <= (bound_leaf as number)
  );
}

/** How the caller reads `second` leaves; null for a leaf of another kind. */
type SecondAt = (index: number) => Promise<Second | null>;

/** Throws a MismatchError of `step` if the hash is not correctly bound. */
export async function checkBinding(
  step: string,
  binding: Binding,
  acceptance: { atMs: number; hash: Uint8Array },
  secondAt: SecondAt,
): Promise<Second> {
  const { before_leaf: before, bound_leaf: boundLeaf } = binding;
  const boundSecond = await secondAt(boundLeaf);
  if (!boundSecond) throw new MismatchError(step, "bound_leaf_not_a_second");
  if (boundSecond.secondMs < acceptance.atMs)
    throw new MismatchError(step, "bound_before_acceptance");
  const isRangeValid =
    before < boundLeaf &&
    boundLeaf - before < rangeMax &&
    (before === 0 || (await secondAt(before)) !== null);
  if (!isRangeValid)
    throw new MismatchError(step, "bound_too_late", `leaf ${before} shows nothing`);
  let last: { leaf: number; ms: number } | null = null;
  for (let index = Math.max(before, 1); index <= boundLeaf; index++) {
    const second = await secondAt(index);
    if (!second) continue;
    if (last && second.secondMs <= last.ms)
      throw new MismatchError(
        step,
        "seconds_not_ascending",
        `leaf ${index} is no later than leaf ${last.leaf}`,
      );
    last = { leaf: index, ms: second.secondMs };
    if (index < boundLeaf && second.secondMs > acceptance.atMs)
      throw new MismatchError(step, "bound_too_late", `leaf ${index} came first`);
  }
  checkIncluded(step, binding, acceptance.hash, {
    count: boundSecond.ordersCount,
    root: boundSecond.ordersRoot,
  });
  return boundSecond;
}

export function checkIncluded(
  step: string,
  { orders_count: count, orders_index: index, orders_path: path, bound_leaf: boundLeaf }: Binding,
  hash: Uint8Array,
  ordersTree: { count: number; root: Uint8Array },
): void {
  if (count !== ordersTree.count)
    throw new MismatchError(
      step,
      "orders_count_differs",
      `the receipt says ${count}, the log gives ${ordersTree.count}`,
    );
  const steps = path.map((text) => Buffer.from(text, "hex"));
  if (!provesInclusion(index, count, leafHash(hash), steps, ordersTree.root))
    throw new MismatchError(step, "order_not_in_root", `leaf ${boundLeaf}`);
}
