import { sha256 } from "@noble/hashes/sha2.js";
import { type Coin, coinCodes } from "#core/money/coins.ts";
import { concatBytes, utf8ToBytes } from "#core/transparency-log/bytes.ts";
import { inclusionRanges, splitPoint } from "#core/transparency-log/merkle.ts";

/**
 * The tree over all user accounts that a `liabilities` leaf commits to: shaped as in RFC 9162,
 * section 2.1, with the sum of the balances below in every node, so that proving an account also
 * proves its balance is in the total (docs/formats/log.md, "liabilities").
 */

/** User balances in minor units, by coin in the order of core/money/coins.ts. */
type Sums = readonly bigint[];

export interface SumNode {
  hash: Uint8Array;
  sums: Sums;
}

/** An account as in the ledger's chain after a batch. */
export interface LiabilityAccount {
  account: bigint;
  coin: Coin;
  /** Number of entries so far. */
  position: bigint;
  /** Minor units, never below zero. */
  balance: bigint;
  /** The start of the account's chain (`computeAccountStart`): which account it is, and whose. */
  start: Uint8Array;
  /** Head of the account's chain, 32 bytes. */
  hash: Uint8Array;
}

/** The largest sum that fits the hashed form: 2^63 − 1. */
const sumMax = (1n << 63n) - 1n;
const format = utf8ToBytes("drydock.liability/2\n");

function uint64(value: bigint): Uint8Array {
  if (value < 0n || value > sumMax) throw new RangeError(`${value} does not fit 63 bits`);
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigInt64(0, value);
  return bytes;
}

/**
 * Leaf: hash of `00`, the format's name, account id, coin index, position, balance, start and
 * head of its chain.
 */
export function createAccountNode({
  account,
  coin,
  position,
  balance,
  start,
  hash,
}: LiabilityAccount): SumNode {
  const index = coinCodes.indexOf(coin);
  const bytes = concatBytes(
    Uint8Array.of(0),
    format,
    uint64(account),
    Uint8Array.of(index),
    uint64(position),
    uint64(balance),
    start,
    hash,
  );
  return {
    hash: sha256(bytes),
    sums: coinCodes.map((_, position) => (position === index ? balance : 0n)),
  };
}

/**
 * Node: hash of `01`, then hash and sums of the left and the right child; its sums are theirs
 * added.
 */
function sumNode(left: SumNode, right: SumNode): SumNode {
  const bytes = concatBytes(Uint8Array.of(1), ...sideBytes(left), ...sideBytes(right));
  return {
    hash: sha256(bytes),
    sums: left.sums.map((sum, index) => sum + (right.sums[index] ?? 0n)),
  };
}

function sideBytes({ hash, sums }: SumNode): Uint8Array[] {
  return [hash, ...sums.map(uint64)];
}

/** The node over one or more adjacent nodes: the subtree RFC 9162 makes of them. */
export function foldNodes(nodes: readonly SumNode[]): SumNode {
  if (nodes.length === 1) return nodes[0]!;
  const split = splitPoint(nodes.length);
  return sumNode(foldNodes(nodes.slice(0, split)), foldNodes(nodes.slice(split)));
}

/** The nodes leading from account `index` of `nodes` to the root, nearest first. */
export function getSumPath(nodes: readonly SumNode[], index: number): SumNode[] {
  return inclusionRanges(index, nodes.length).map(({ start, end }) =>
    foldNodes(nodes.slice(start, end)),
  );
}

/**
 * The root a path leads to; null when the path cannot belong to that index and size (RFC 9162,
 * 2.1.3.2).
 */
export function computeSumRoot(
  leaf: SumNode,
  index: number,
  size: number,
  path: readonly SumNode[],
): SumNode | null {
  if (!Number.isSafeInteger(index) || !Number.isSafeInteger(size)) return null;
  if (index < 0 || index >= size) return null;
  const ranges = inclusionRanges(index, size);
  if (ranges.length !== path.length) return null;
  return ranges.reduce(
    (node, { start }, position) =>
      start > index ? sumNode(node, path[position]!) : sumNode(path[position]!, node),
    leaf,
  );
}
