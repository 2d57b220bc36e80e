import { decodeSecond, type SecondLeaf } from "#core/transparency-log/secondLeaf.ts";

/** Entries by index, each proven by the caller to be in the log. */
export type ProvenLeaves = ReadonlyMap<number, Uint8Array>;

type LeafMismatch = "leaf_missing" | "leaf_unreadable" | "seconds_not_ascending";

/** Thrown by a check when a needed leaf is missing, unreadable or does not advance the time. */
export class LeafError extends Error {
  readonly difference: LeafMismatch;
  readonly leaf: number;

  constructor(difference: LeafMismatch, leaf: number) {
    super(`${difference} ${leaf}`);
    this.name = "LeafError";
    this.difference = difference;
    this.leaf = leaf;
  }
}

/**
 * The second at `index`; null only if the log holds another kind there. Throws a LeafError for any
 * other leaf: an unreadable one must not pass for one without a second.
 */
export function getProvenSecond(
  leaves: ProvenLeaves,
  tag: Uint8Array,
  index: number,
): SecondLeaf | null {
  const bytes = leaves.get(index);
  if (!bytes) throw new LeafError("leaf_missing", index);
  const result = decodeSecond(bytes, tag);
  if (result.ok) return result.value;
  if (result.error === "leaf_kind_wrong") return null;
  throw new LeafError("leaf_unreadable", index);
}

/** The indexes from `from` to `to`, both inclusive; none if `to` is below `from`. */
export function listIndexes(from: number, to: number): number[] {
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index);
}
