import { equalBytes, sha256 } from "./bytes.ts";

/**
 * RFC 9162, section 2.1: hashes and the two verification algorithms, following the text step by
 * step.
 */

const leafPrefix = Uint8Array.of(0x00);
const nodePrefix = Uint8Array.of(0x01);

export const leafHash = (entry: Uint8Array): Buffer => sha256(leafPrefix, entry);
export const nodeHash = (left: Uint8Array, right: Uint8Array): Buffer =>
  sha256(nodePrefix, left, right);
export const emptyRoot: Buffer = sha256();

/**
 * Returns true if `path` leads from `hash` at `index` to `root` of a tree of `size` (section
 * 2.1.3.2).
 */
export function provesInclusion(
  index: number,
  size: number,
  hash: Uint8Array,
  path: readonly Uint8Array[],
  root: Uint8Array,
): boolean {
  if (index < 0 || index >= size) return false;
  let fn = BigInt(index);
  let sn = BigInt(size - 1);
  let r: Uint8Array = hash;
  for (const p of path) {
    if (sn === 0n) return false;
    if ((fn & 1n) === 1n || fn === sn) {
      r = nodeHash(p, r);
      while ((fn & 1n) === 0n && fn !== 0n) {
        fn >>= 1n;
        sn >>= 1n;
      }
    } else {
      r = nodeHash(r, p);
    }
    fn >>= 1n;
    sn >>= 1n;
  }
  return sn === 0n && equalBytes(r, root);
}

/**
 * Returns true if `path` proves that the tree `second` with `secondRoot` extends the tree `first`
 * (section 2.1.4.2).
 */
export function provesConsistency(
  first: number,
  second: number,
  firstRoot: Uint8Array,
  secondRoot: Uint8Array,
  path: readonly Uint8Array[],
): boolean {
  if (first > second) return false;
  if (first === second) return path.length === 0 && equalBytes(firstRoot, secondRoot);
  if (first === 0) return path.length === 0 && equalBytes(firstRoot, emptyRoot);
  const nodes = isPowerOfTwo(first) ? [firstRoot, ...path] : [...path];
  const start = nodes.shift();
  if (!start) return false;
  let fn = BigInt(first - 1);
  let sn = BigInt(second - 1);
  while ((fn & 1n) === 1n) {
    fn >>= 1n;
    sn >>= 1n;
  }
  let fr: Uint8Array = start;
  let sr: Uint8Array = start;
  for (const c of nodes) {
    if (sn === 0n) return false;
    if ((fn & 1n) === 1n || fn === sn) {
      fr = nodeHash(c, fr);
      sr = nodeHash(c, sr);
      while ((fn & 1n) === 0n && fn !== 0n) {
        fn >>= 1n;
        sn >>= 1n;
      }
    } else {
      sr = nodeHash(sr, c);
    }
    fn >>= 1n;
    sn >>= 1n;
  }
  return sn === 0n && equalBytes(fr, firstRoot) && equalBytes(sr, secondRoot);
}

const isPowerOfTwo = (n: number): boolean => n > 0 && Number.isInteger(Math.log2(n));

/** Returns the hash of the `index`-th complete subtree of 2^level leaves, from any source. */
export type NodeReader = (level: number, index: number) => Promise<Uint8Array>;

/** The largest power of two below `n`, for n > 1. */
function computeSplit(n: number): number {
  let k = 1;
  while (k * 2 < n) k *= 2;
  return k;
}

/**
 * Hash of the leaves [from, to) of a larger tree; `from` is a multiple of the power of two that
 * covers the range.
 */
export async function rangeHash(from: number, to: number, node: NodeReader): Promise<Uint8Array> {
  const count = to - from;
  if (isPowerOfTwo(count) && from % count === 0) {
    const level = Math.log2(count);
    return node(level, from / count);
  }
  const k = computeSplit(count);
  return nodeHash(await rangeHash(from, from + k, node), await rangeHash(from + k, to, node));
}

/** PATH(m, D_n) of section 2.1.3.1. */
export async function inclusionPath(
  index: number,
  from: number,
  to: number,
  node: NodeReader,
): Promise<Uint8Array[]> {
  if (to - from === 1) return [];
  const middle = from + computeSplit(to - from);
  return index < middle
    ? [...(await inclusionPath(index, from, middle, node)), await rangeHash(middle, to, node)]
    : [...(await inclusionPath(index, middle, to, node)), await rangeHash(from, middle, node)];
}

/** PROOF(m, D_n) of section 2.1.4.1. */
export async function consistencyPath(
  first: number,
  second: number,
  node: NodeReader,
): Promise<Uint8Array[]> {
  const subproof = async (
    m: number,
    from: number,
    to: number,
    complete: boolean,
  ): Promise<Uint8Array[]> => {
    if (m === to - from) return complete ? [] : [await rangeHash(from, to, node)];
    const k = computeSplit(to - from);
    return m <= k
      ? [...(await subproof(m, from, from + k, complete)), await rangeHash(from + k, to, node)]
      : [...(await subproof(m - k, from + k, to, false)), await rangeHash(from, from + k, node)];
  };
  return first === 0 || first === second ? [] : subproof(first, 0, second, true);
}
