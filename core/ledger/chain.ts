import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from "@noble/hashes/utils.js";

/**
 * The ledger's hash chain, format 2 (docs/rules/ledger.md): a running SHA-256 per account over its
 * entries, and a head per batch over the account heads it moved. The database computes it; this
 * code lets anyone check it.
 */

/** An account's identity, hashed first in its chain. */
export interface ChainAccount {
  id: bigint;
  owner: string;
  attemptId: string;
  kind: string;
  coin: string;
  /**
   * The commitment to the wallet of the account's owner (`computeOwnerCommitment`), in hex; empty without
   * one.
   */
  ownerCommitment: string;
}

export interface ChainEntry {
  account: bigint;
  /** 1 for the account's first entry; equals the version of a user account. */
  position: bigint;
  /** UUID. */
  journalId: string;
  leg: number;
  /** Signed minor units. */
  amount: bigint;
  atMs: bigint;
  bodyHash: Uint8Array;
  /** `partsHash` of the journal's legs. */
  parts: Uint8Array;
  kind: string;
}

/**
 * The genesis hash: identifies the chain, with the practice labels every hashed structure of Drydock
 * carries.
 */
export function chainGenesis(world: string): Uint8Array {
  return sha256(
    utf8ToBytes(
      `{"format":"drydock-ledger-chain-2","practice":true,"backing":"none","world":${JSON.stringify(world)}}`,
    ),
  );
}

/** The start of an account's chain. */
export function computeAccountStart(genesis: Uint8Array, account: ChainAccount): Uint8Array {
  const { id, owner, attemptId, kind, coin, ownerCommitment } = account;
  const names = [owner, attemptId, kind, coin, ownerCommitment]
    .map((name) => JSON.stringify(name))
    .join(",");
  return sha256(concatBytes(genesis, utf8ToBytes(`[${id},${names}]`)));
}

/** A journal's legs on one house account kind, or on all people's accounts, in one coin. */
export interface JournalPart {
  /** The kind of the house account; `people` for all people's accounts together. */
  name: string;
  coin: string;
  amount: bigint;
}

/**
 * Hash of a journal's effect by party: one line per kind of house account and coin, and per coin
 * for all people together. It lets a receipt prove the other side without naming anyone.
 */
export function partsHash(parts: readonly JournalPart[]): Uint8Array {
  const sums = new Map<string, bigint>();
  for (const { name, coin, amount } of parts)
    sums.set(`${name} ${coin}`, (sums.get(`${name} ${coin}`) ?? 0n) + amount);
  const lines = [...sums.keys()].sort().map((key) => `${key} ${sums.get(key)}\n`);
  return sha256(utf8ToBytes(lines.join("")));
}

/**
 * Commits an account to the wallet of its owner without naming it: the hash of a secret salt and
 * the wallet's address in lower case, in hex.
 */
export function computeOwnerCommitment(salt: Uint8Array, address: string): string {
  const text = utf8ToBytes(address.toLowerCase());
  return bytesToHex(sha256(concatBytes(utf8ToBytes("drydock.owner/1\n"), salt, text)));
}

/** Encodes an entry: format 2, practice flag 1, then big-endian fields and the kind in UTF-8. */
export function entryBytes(entry: ChainEntry): Uint8Array {
  const kind = utf8ToBytes(entry.kind);
  const bytes = new Uint8Array(118 + kind.length);
  const view = new DataView(bytes.buffer);
  bytes[0] = 2;
  bytes[1] = 1;
  view.setBigInt64(2, entry.account);
  view.setBigInt64(10, entry.position);
  bytes.set(hexToBytes(entry.journalId.replaceAll("-", "")), 18);
  view.setInt32(34, entry.leg);
  view.setBigInt64(38, entry.amount);
  view.setBigInt64(46, entry.atMs);
  bytes.set(entry.bodyHash, 54);
  bytes.set(entry.parts, 86);
  bytes.set(kind, 118);
  return bytes;
}

/** An account's hash after one more entry. */
export function chainStep(hash: Uint8Array, entry: ChainEntry): Uint8Array {
  return sha256(concatBytes(hash, entryBytes(entry)));
}

/**
 * The head of a batch: a hash over the previous head (the genesis for the first), the batch number,
 * and the head of each account moved, ordered by id.
 */
export function computeBatchHead(
  before: Uint8Array,
  number: bigint,
  heads: readonly { account: bigint; position: bigint; hash: Uint8Array }[],
): Uint8Array {
  const parts = [before, int64(number)];
  for (const { account, position, hash } of heads)
    parts.push(int64(account), int64(position), hash);
  return sha256(concatBytes(...parts));
}

function int64(value: bigint): Uint8Array {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigInt64(0, value);
  return bytes;
}
