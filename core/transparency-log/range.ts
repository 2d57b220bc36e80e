import { emptyRoot, nodeHash } from "#core/transparency-log/merkle.ts";

/**
 * A compact range: the roots of the whole subtrees that cover the first `size` leaves, largest
 * first. It is all that is needed to append leaves and to know the root, whatever the size of the
 * tree.
 */
export interface CompactRange {
  readonly size: number;
  readonly hashes: readonly Uint8Array[];
}

export const emptyRange: CompactRange = { size: 0, hashes: [] };

/**
 * The range with one more leaf hash. `onNode(level, index, hash)` is told each whole subtree as it
 * becomes complete.
 */
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

/** Root of the tree that the range covers. */
export function rangeRoot(range: CompactRange): Uint8Array {
  if (range.hashes.length === 0) return emptyRoot();
  return range.hashes.reduceRight((right, left) => nodeHash(left, right));
}
