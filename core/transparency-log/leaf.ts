import { sha256 } from "@noble/hashes/sha2.js";
import { concatBytes, equalBytes, utf8ToBytes } from "#core/transparency-log/bytes.ts";
import {
  type Canonical,
  canonicalBytes,
  hasPracticeLabels,
  type PracticeLabels,
  parseCanonical,
} from "#core/transparency-log/canonical.ts";
import {
  ByteReader,
  type Decoded,
  LeafReadError,
  tryDecode,
} from "#core/transparency-log/varint.ts";

/** Leaf kinds by the number in their second byte (docs/formats/log.md). */
export const leafKinds = {
  world: 1,
  second: 2,
  terms: 3,
  seed: 4,
  books: 5,
  network: 6,
  mark: 7,
  payout: 8,
  liabilities: 9,
  build: 10,
  day: 11,
  audit: 12,
  succession: 14,
  sleep: 15,
} as const;
export type LeafKind = keyof typeof leafKinds;

const leafVersion = 1;
/** The third byte of every leaf: practice, backed by nothing. No other value exists. */
const practiceLabel = 0x50;
const worldTagBytes = 8;

/**
 * The world tag carried by every leaf: the first 8 bytes of SHA-256(`drydock.world/1` ‖ 0x0A ‖
 * name). The `world` leaf carries the full name.
 */
export function worldTag(name: string): Uint8Array {
  return sha256(utf8ToBytes(`drydock.world/1\n${name}`)).slice(0, worldTagBytes);
}

/** The eleven bytes that begin every leaf: version, kind, practice label, world tag. */
export function leafHead(kind: LeafKind, tag: Uint8Array): Uint8Array {
  if (tag.length !== worldTagBytes) throw new RangeError("a world tag must be 8 bytes");
  return concatBytes(Uint8Array.of(leafVersion, leafKinds[kind], practiceLabel), tag);
}

/** The kind of a leaf that this instance wrote itself; null when unknown. */
export function readLeafKind(bytes: Uint8Array): LeafKind | null {
  return kindOfNumber(bytes[1]);
}

function kindOfNumber(number: number | undefined): LeafKind | null {
  const match = Object.entries(leafKinds).find(([, kindNumber]) => kindNumber === number);
  return match ? (match[0] as LeafKind) : null;
}

/**
 * The kind that a leaf states, null if it is unknown: a reader that skips leaves of other kinds has
 * to refuse those of another version or world and those without the practice label.
 */
export function readKind(bytes: Uint8Array, tag: Uint8Array | null): Decoded<LeafKind | null> {
  return tryDecode(() => {
    const { kind } = decodeAnyHead(new ByteReader(bytes), tag);
    return kindOfNumber(kind);
  });
}

/** Reads the head of a leaf of any kind. */
function decodeAnyHead(reader: ByteReader, tag: Uint8Array | null) {
  if (reader.byte() !== leafVersion) throw new LeafReadError("leaf_version_unknown");
  const kind = reader.byte();
  if (reader.byte() !== practiceLabel) throw new LeafReadError("leaf_not_practice");
  const storedTag = reader.raw(worldTagBytes);
  if (tag && !equalBytes(storedTag, tag)) throw new LeafReadError("leaf_world_wrong");
  return { kind, found: storedTag };
}

/**
 * Reads the head and refuses another version, a missing practice label, (unless `tag` is null)
 * another world, and only then another kind.
 */
export function decodeHead(reader: ByteReader, kind: LeafKind, tag: Uint8Array | null): Uint8Array {
  const head = decodeAnyHead(reader, tag);
  if (head.kind !== leafKinds[kind]) throw new LeafReadError("leaf_kind_wrong");
  return head.found;
}

/** Encodes a leaf whose body is canonical JSON with the full practice labels. */
export function encodeJsonLeaf(
  kind: LeafKind,
  body: PracticeLabels & { readonly [key: string]: Canonical },
): Uint8Array {
  return concatBytes(leafHead(kind, worldTag(body.world)), canonicalBytes(body));
}

/**
 * Reads the canonical JSON body of a leaf; it must carry the practice labels, and its world must
 * match the head.
 */
export function decodeJsonBody(
  reader: ByteReader,
  kind: LeafKind,
  tag: Uint8Array | null,
): { body: Record<string, unknown> & PracticeLabels; bytes: Uint8Array } {
  const head = decodeHead(reader, kind, tag);
  const bytes = reader.rest();
  const body = parseCanonical(bytes);
  if (body === null) throw new LeafReadError("leaf_value_invalid");
  if (!hasPracticeLabels(body)) throw new LeafReadError("leaf_not_practice");
  if (!equalBytes(worldTag(body.world), head)) throw new LeafReadError("leaf_world_wrong");
  return { body, bytes };
}

/** Throws `leaf_value_invalid` unless the object has exactly these keys. */
export function requireKeys(body: object, keys: readonly string[]): void {
  const presentKeys = Object.keys(body);
  if (presentKeys.length !== keys.length || !keys.every((key) => presentKeys.includes(key))) {
    throw new LeafReadError("leaf_value_invalid");
  }
}

/** Throws `leaf_value_invalid` unless `condition` holds. */
export function ensure(condition: unknown): asserts condition {
  if (!condition) throw new LeafReadError("leaf_value_invalid");
}
