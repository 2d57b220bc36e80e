import { sha256 } from "@noble/hashes/sha2.js";
import { equalBytes } from "#core/transparency-log/bytes.ts";

/**
 * The Merkle tree of RFC 9162, section 2.1, with SHA-256. Sizes and indexes are integers below
 * 2^53, so nothing here uses 32-bit operators on them.
 */

/** A half-open range of leaves, `[start, end)`. */
export interface LeafRange {
  start: number;
  end: number;
}

/** Hash of the empty tree: SHA-256 of the empty string. */
export function emptyRoot(): Uint8Array {
  return sha256(new Uint8Array());
}

/** Leaf hash: SHA-256(0x00 ‖ entry). */
export function leafHash(entry: Uint8Array): Uint8Array {
  return sha256.create().update(Uint8Array.of(0)).update(entry).digest();
}

/** Node hash: SHA-256(0x01 ‖ left ‖ right). */
export function nodeHash(left: Uint8Array, right: Uint8Array): Uint8Array {
  return sha256.create().update(Uint8Array.of(1)).update(left).update(right).digest();
}

/** The largest power of two below `count` (at least 2). */
export function splitPoint(count: number): number {
  let split = 1;
  while (split * 2 < count) split *= 2;
  return split;
}

/** Root over leaf hashes in order; the empty root for none. */
export function treeRoot(leaves: readonly Uint8Array[]): Uint8Array {
  if (leaves.length === 0) return emptyRoot();
  let row = leaves;
  // Pairing neighbours and promoting an odd last one gives the same tree as the recursive
  // definition.
  while (row.length > 1) {
    const next: Uint8Array[] = [];
    for (let index = 0; index < row.length; index += 2) {
      next.push(index + 1 < row.length ? nodeHash(row[index]!, row[index + 1]!) : row[index]!);
    }
    row = next;
  }
  return row[0]!;
}

/**
 * Subtrees whose roots form the inclusion proof of leaf `index` in a tree of `size`, nearest first.
 */
export function inclusionRanges(index: number, size: number): LeafRange[] {
  if (!(index >= 0 && index < size)) throw new RangeError(`no leaf ${index} in a tree of ${size}`);
  const ranges: LeafRange[] = [];
  let start = 0;
  let end = size;
  while (end - start > 1) {
    const middle = start + splitPoint(end - start);
    if (index < middle) {
      ranges.push({ start: middle, end });
      end = middle;
    } else {
      ranges.push({ start, end: middle });
      start = middle;
    }
  }
  return ranges.reverse();
}

/**
 * Subtrees whose roots form the consistency proof from a tree of `from` leaves to one of `to`
 * leaves.
 */
export function consistencyRanges(from: number, to: number): LeafRange[] {
  if (!(from >= 0 && from <= to)) throw new RangeError(`no consistency from ${from} to ${to}`);
  if (from === 0 || from === to) return [];
  const ranges: LeafRange[] = [];
  let start = 0;
  let end = to;
  // True if the old tree is a complete subtree of the new one so far: its root is then already
  // known.
  let isWhole = true;
  while (end !== from) {
    const middle = start + splitPoint(end - start);
    if (from <= middle) {
      ranges.push({ start: middle, end });
      end = middle;
    } else {
      ranges.push({ start, end: middle });
      start = middle;
      isWhole = false;
    }
  }
  if (!isWhole) ranges.push({ start, end });
  return ranges.reverse();
}

/**
 * The root an inclusion proof leads to; null when the proof cannot belong to that leaf and size
 * (RFC 9162, 2.1.3.2).
 */
export function rootFromInclusion(
  leaf: Uint8Array,
  index: number,
  size: number,
  path: readonly Uint8Array[],
): Uint8Array | null {
  if (!Number.isSafeInteger(index) || !Number.isSafeInteger(size)) return null;
  if (index < 0 || index >= size) return null;
  let node = index;
  let last = size - 1;
  let hash = leaf;
  for (const sibling of path) {
    if (last === 0) return null;
    if (node % 2 === 1 || node === last) {
      hash = nodeHash(sibling, hash);
      while (node % 2 === 0 && node !== 0) {
        node /= 2;
        last = Math.floor(last / 2);
      }
    } else {
      hash = nodeHash(hash, sibling);
    }
    node = Math.floor(node / 2);
    last = Math.floor(last / 2);
  }
  return last === 0 ? hash : null;
}

/**
 * Returns true if `path` proves that `leaf` (a leaf hash) is at `index` in the tree with this size
 * and root.
 */
export function verifyInclusion(
  proof: { leaf: Uint8Array; index: number; size: number; path: readonly Uint8Array[] },
  root: Uint8Array,
): boolean {
  const computed = rootFromInclusion(proof.leaf, proof.index, proof.size, proof.path);
  return computed !== null && equalBytes(computed, root);
}

/**
 * Returns true if `path` proves that the tree `from` is a prefix of the tree `to` (RFC 9162,
 * 2.1.4.2).
 */
export function verifyConsistency(
  from: { size: number; root: Uint8Array },
  to: { size: number; root: Uint8Array },
  path: readonly Uint8Array[],
): boolean {
  if (from.size > to.size) return false;
  if (from.size === to.size) return path.length === 0 && equalBytes(from.root, to.root);
  if (from.size === 0) return path.length === 0 && equalBytes(from.root, emptyRoot());
  let node = from.size - 1;
  let last = to.size - 1;
  while (node % 2 === 1) {
    node = Math.floor(node / 2);
    last = Math.floor(last / 2);
  }
  // An old tree that is a complete subtree is its own first proof element.
  const rest = node === 0 ? [from.root, ...path] : [...path];
  const first = rest.shift();
  if (!first) return false;
  let oldHash = first;
  let newHash = first;
  for (const sibling of rest) {
    if (last === 0) return false;
    if (node % 2 === 1 || node === last) {
      oldHash = nodeHash(sibling, oldHash);
      newHash = nodeHash(sibling, newHash);
      while (node % 2 === 0 && node !== 0) {
        node /= 2;
        last = Math.floor(last / 2);
      }
    } else {
      newHash = nodeHash(newHash, sibling);
    }
    node = Math.floor(node / 2);
    last = Math.floor(last / 2);
  }
  return last === 0 && equalBytes(oldHash, from.root) && equalBytes(newHash, to.root);
}
