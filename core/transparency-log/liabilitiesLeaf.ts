import { coinCodes } from "#core/money/coins.ts";
import { bytesToHex, parseHash } from "#core/transparency-log/bytes.ts";
import {
  decodeJsonBody,
  encodeJsonLeaf,
  ensure,
  requireKeys,
} from "#core/transparency-log/leaf.ts";
import { isCount, isObject, isSigned } from "#core/transparency-log/schema.ts";
import { ByteReader, type Decoded, tryDecode } from "#core/transparency-log/varint.ts";

/**
 * The ledger's debt to all users after a batch of its chain, with the root that proves each account
 * (docs/formats/log.md).
 */
export interface LiabilitiesLeaf {
  world: string;
  /** Index of the `liabilities` leaf before this one; null for the first. */
  before: number | null;
  /** World time of the snapshot, in milliseconds. */
  atMs: number;
  /** The chain batch whose state this is, and that batch's head. */
  batch: number;
  batchHead: Uint8Array;
  /** Number of user accounts in the tree, at least one. */
  accounts: number;
  root: Uint8Array;
  /** Minor units by coin in registry order: the totals of all users, and of all house accounts. */
  users: readonly bigint[];
  house: readonly bigint[];
}

const members = [
  "practice",
  "backing",
  "world",
  "before",
  "at_ms",
  "batch",
  "batch_head",
  "accounts",
  "root",
  "users",
  "house",
];

const byCoin = (sums: readonly bigint[]) =>
  Object.fromEntries(coinCodes.map((coin, index) => [coin, String(sums[index] ?? 0n)]));

/** Throws a RangeError for values a decoder would refuse. */
export function encodeLiabilities(leaf: LiabilitiesLeaf): Uint8Array {
  const bytes = encodeJsonLeaf("liabilities", {
    practice: true,
    backing: "none",
    world: leaf.world,
    before: leaf.before,
    at_ms: leaf.atMs,
    batch: leaf.batch,
    batch_head: bytesToHex(leaf.batchHead),
    accounts: leaf.accounts,
    root: bytesToHex(leaf.root),
    users: byCoin(leaf.users),
    house: byCoin(leaf.house),
  });
  if (!decodeLiabilities(bytes, null).ok) throw new RangeError("not a valid liabilities leaf");
  return bytes;
}

export function decodeLiabilities(
  bytes: Uint8Array,
  tag: Uint8Array | null,
): Decoded<LiabilitiesLeaf> {
  return tryDecode(() => {
    const { body } = decodeJsonBody(new ByteReader(bytes), "liabilities", tag);
    requireKeys(body, members);
    const { before, at_ms: atMs, batch, accounts } = body;
    ensure(before === null || isCount(before));
    ensure(isCount(atMs) && isCount(batch) && isCount(accounts));
    ensure(batch > 0 && accounts > 0);
    const batchHead = parseHash(body.batch_head);
    const root = parseHash(body.root);
    ensure(batchHead !== null && root !== null);
    const users = readSums(body.users);
    const house = readSums(body.house);
    // Every coin sums to zero over all accounts, and no user total is negative.
    ensure(users.every((sum, index) => sum >= 0n && sum + house[index]! === 0n));
    return { world: body.world, before, atMs, batch, batchHead, accounts, root, users, house };
  });
}

const isSum = isSigned(19);

function readSums(value: unknown): bigint[] {
  ensure(isObject(value));
  requireKeys(value, coinCodes);
  return coinCodes.map((coin) => {
    const text = value[coin];
    ensure(isSum(text));
    return BigInt(text);
  });
}
