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

export const rangeFits = ({ before_leaf: before, bound_leaf: bound }: Binding): boolean =>
  before <= bound && bound - before < rangeMax;

/** How the caller reads `second` leaves; null for a leaf of another kind. */
interface Seconds {
  at: (index: number) => Promise<Second | null>;
  /** Reads the next one of a range: later than all read before, or it throws. */
  onward: (index: number) => Promise<Second | null>;
}

/** Throws a MismatchError of `step` unless the hash is bound as it has to be. */
export async function checkBinding(
  step: string,
  binding: Binding,
  accepted: { atMs: number; hash: Uint8Array },
  seconds: Seconds,
): Promise<Second> {
  const { before_leaf: before, bound_leaf: at } = binding;
  const bound = await seconds.at(at);
  if (!bound) throw new MismatchError(step, "bound_leaf_not_a_second");
  if (bound.secondMs < accepted.atMs) throw new MismatchError(step, "bound_before_acceptance");
  const shown = before < at && (before === 0 || (await seconds.at(before)) !== null);
  if (!shown) throw new MismatchError(step, "bound_too_late", `leaf ${before} shows nothing`);
  for (let index = Math.max(before, 1); index < at; index++) {
    const read = await seconds.onward(index);
    if (read && read.secondMs > accepted.atMs)
      throw new MismatchError(step, "bound_too_late", `leaf ${index} came first`);
  }
  await seconds.onward(at);
  checkIncluded(step, binding, accepted.hash, { count: bound.ordersCount, root: bound.ordersRoot });
  return bound;
}

export function checkIncluded(
  step: string,
  { orders_count: count, orders_index: index, orders_path: path, bound_leaf: at }: Binding,
  hash: Uint8Array,
  bound: { count: number; root: Uint8Array },
): void {
  if (count !== bound.count)
    throw new MismatchError(
      step,
      "orders_count_differs",
      `the receipt says ${count}, the log gives ${bound.count}`,
    );
  const steps = path.map((one) => Buffer.from(one, "hex"));
  if (!provesInclusion(index, count, leafHash(hash), steps, bound.root))
    throw new MismatchError(step, "order_not_in_root", `leaf ${at}`);
}
