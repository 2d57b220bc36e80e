import { emptyRoot, nodeHash } from "#core/transparency-log/merkle.ts";

/**
 * A compact range: the roots of the complete subtrees that cover the first `size` leaves, largest
 * first. Sufficient to append leaves and compute the root of a tree of any size.
 */
export interface CompactRange {
  readonly size: number;
  readonly hashes: readonly Uint8Array[];
}

export const emptyRange: CompactRange = { size: 0, hashes: [] };

/** Appends a leaf hash. Calls `onNode(level, index, hash)` for each subtree it completes. */
export function appendLeaf(
  range: CompactRange,
  leaf: Uint8Array,
  onNode?: (level: number, index: number, hash: Uint8Array) => void,
): CompactRange {
  const hashes = [...range.hashes];
  let hash = leaf;
  let level = 0;
  let index = range.size;
  onNode?.(level, index, hash);
  while (index % 2 === 1) {
    hash = nodeHash(hashes.pop()!, hash);
    level += 1;
    index = (index - 1) / 2;
    onNode?.(level, index, hash);
  }
  hashes.push(hash);
  return { size: range.size + 1, hashes };
}

/** The root of the tree the range covers. */
export function rangeRoot(range: CompactRange): Uint8Array {
  if (range.hashes.length === 0) return emptyRoot();
  return range.hashes.reduceRight((right, left) => nodeHash(left, right));
}
