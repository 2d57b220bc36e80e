import { type LeafRange, leafHash, nodeHash, splitPoint } from "#core/transparency-log/merkle.ts";

/**
 * One inclusion proof for many leaves of an RFC 9162 tree: the roots of the largest subtrees that
 * hold none of them, from left to right (docs/formats/evidence.md, "Leaves").
 */

/** How many of the ascending `indexes` are below `end`. */
function countBelow(indexes: readonly number[], end: number): number {
  let low = 0;
  let high = indexes.length;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (indexes[middle]! < end) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The subtrees whose hashes prove the leaves at these ascending indexes. */
export function multiproofRanges(indexes: readonly number[], size: number): LeafRange[] {
  const ranges: LeafRange[] = [];
  const walk = (start: number, end: number, from: number, to: number): void => {
    if (from === to) {
      ranges.push({ start, end });
      return;
    }
    if (end - start === 1) return;
    const middle = start + splitPoint(end - start);
    const middleCount = countBelow(indexes, middle);
    walk(start, middle, from, middleCount);
    walk(middle, end, middleCount, to);
  };
  if (indexes.length > 0) walk(0, size, 0, indexes.length);
  return ranges;
}

/**
 * The root that these leaves and hashes lead to in a tree of `size`; null unless exactly the
 * required number of hashes is given. `indexes` ascend, and all are below `size`.
 */
export function rootFromMultiproof(
  leaves: { readonly indexes: readonly number[]; readonly entries: readonly Uint8Array[] },
  size: number,
  hashes: readonly Uint8Array[],
): Uint8Array | null {
  const { indexes, entries } = leaves;
  let usedCount = 0;
  const walk = (start: number, end: number, from: number, to: number): Uint8Array | null => {
    if (from === to) {
      usedCount += 1;
      return hashes[usedCount - 1] ?? null;
    }
    if (end - start === 1) return leafHash(entries[from]!);
    const middle = start + splitPoint(end - start);
    const middleCount = countBelow(indexes, middle);
    const leftHash = walk(start, middle, from, middleCount);
    const rightHash = leftHash && walk(middle, end, middleCount, to);
    return rightHash && nodeHash(leftHash, rightHash);
  };
  const root = indexes.length > 0 ? walk(0, size, 0, indexes.length) : null;
  return usedCount === hashes.length ? root : null;
}
