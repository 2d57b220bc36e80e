import { MismatchError, sha256 } from "./bytes.ts";
import { decodeJson } from "./leaves.ts";

/** `liabilities` leaves and their tree (docs/formats/log.md). */

export const coinOrder = ["pUSDT", "pUSDC", "pBTC", "pETH"] as const;

export interface Liabilities {
  /** Index of the commitment before this one. */
  before: number | null;
  atMs: number;
  batch: number;
  accounts: number;
  root: string;
  users: bigint[];
}

/** The part of a commitment that the next one must follow. */
export interface Commitment {
  leaf: number;
  accounts: number;
  batch: number;
  atMs: number;
}

/**
 * The commitment in `leaf`, which must name the last one before it and leave out no account; `last`
 * is null only where no leaf before is a commitment.
 */
export function nextCommitment(
  last: Commitment | null,
  leaf: number,
  { before, accounts, batch, atMs }: Liabilities,
): Commitment {
  const fellBack = (detail: string) =>
    new MismatchError("leaves", "accounts_fell", `leaf ${leaf} ${detail}`);
  if (before !== (last?.leaf ?? null))
    throw fellBack(`names ${before ?? "none"} as the one before, not ${last?.leaf ?? "none"}`);
  if (last && (accounts < last.accounts || batch <= last.batch || atMs < last.atMs))
    throw fellBack(`commits to ${accounts} accounts, leaf ${last.leaf} to ${last.accounts}`);
  return { leaf, accounts, batch, atMs };
}

export interface Node {
  hash: Uint8Array;
  sums: bigint[];
}

const malformed = (detail: string) => new MismatchError("leaves", "leaf_value_invalid", detail);
const isCount = (value: unknown): value is number =>
  Number.isSafeInteger(value) && (value as number) >= 0;

/** Reads a `liabilities` leaf; its two columns must cancel out in every coin. */
export function decodeLiabilities(entry: Uint8Array, tag: Uint8Array | null): Liabilities {
  const fields = decodeJson(entry, "liabilities", tag);
  const expected = "accounts,at_ms,backing,batch,batch_head,before,house,practice,root,users,world";
  if (Object.keys(fields).sort().join() !== expected) throw malformed("members");
  const { before, at_ms: atMs, batch, batch_head: head, accounts, root, users, house } = fields;
  const isHash = (value: unknown) => typeof value === "string" && /^[0-9a-f]{64}$/.test(value);
  if (!isCount(atMs) || !isCount(batch) || !isCount(accounts) || batch === 0 || accounts === 0)
    throw malformed("counts");
  if (before !== null && !isCount(before)) throw malformed("before");
  if (!isHash(head) || !isHash(root)) throw malformed("hashes");
  const [owedToUsers, owedByHouse] = [parseAmounts(users), parseAmounts(house)];
  for (const [coin, sum] of owedToUsers.entries()) {
    if (sum < 0n || sum + (owedByHouse[coin] as bigint) !== 0n) throw malformed("totals");
  }
  return { before, atMs: atMs, batch, accounts, root: root as string, users: owedToUsers };
}

function parseAmounts(value: unknown): bigint[] {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw malformed("totals");
  const fields = value as Record<string, unknown>;
  if (Object.keys(fields).sort().join() !== [...coinOrder].sort().join()) throw malformed("coins");
  return coinOrder.map((coin) => {
    const text = fields[coin];
    if (typeof text !== "string" || !/^(0|-?[1-9][0-9]{0,18})$/.test(text)) throw malformed(coin);
    return BigInt(text);
  });
}

/** Encodes a value below 2^63 as eight bytes, big-endian. */
function encodeUint64(value: bigint): Buffer {
  if (value < 0n || value >= 1n << 63n)
    throw new MismatchError("committed", "account_not_committed", `${value} does not fit`);
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64BE(value);
  return bytes;
}

export function accountLeaf(
  account: bigint,
  coin: string,
  position: bigint,
  balance: bigint,
  [start, head]: readonly [Uint8Array, Uint8Array],
): Node {
  const index = (coinOrder as readonly string[]).indexOf(coin);
  const hash = sha256(
    Buffer.of(0),
    Buffer.from("drydock.liability/2\n"),
    encodeUint64(account),
    Buffer.of(index),
    encodeUint64(position),
    encodeUint64(balance),
    start,
    head,
  );
  return { hash, sums: coinOrder.map((_, position) => (position === index ? balance : 0n)) };
}

function joinNodes(leftNode: Node, right: Node): Node {
  const side = ({ hash, sums }: Node) => [hash, ...sums.map(encodeUint64)];
  return {
    hash: sha256(Buffer.of(1), ...side(leftNode), ...side(right)),
    sums: leftNode.sums.map((sum, index) => sum + (right.sums[index] as bigint)),
  };
}

/**
 * RFC 9162, section 2.1.3.2, with nodes that carry sums; null when the path does not fit the place.
 */
export function rootFromSumPath(
  leaf: Node,
  index: number,
  size: number,
  path: readonly Node[],
): Node | null {
  if (index < 0 || index >= size) return null;
  let fn = BigInt(index);
  let sn = BigInt(size - 1);
  let node = leaf;
  for (const step of path) {
    if (sn === 0n) return null;
    if ((fn & 1n) === 1n || fn === sn) {
      node = joinNodes(step, node);
      while ((fn & 1n) === 0n && fn !== 0n) {
        fn >>= 1n;
        sn >>= 1n;
      }
    } else {
      node = joinNodes(node, step);
    }
    fn >>= 1n;
    sn >>= 1n;
  }
  return sn === 0n ? node : null;
}
