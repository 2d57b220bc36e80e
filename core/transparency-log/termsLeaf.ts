import { sha256 } from "@noble/hashes/sha2.js";
import { concatBytes } from "#core/transparency-log/bytes.ts";
import type { PracticeLabels } from "#core/transparency-log/canonical.ts";
import { decodeJsonBody, leafHead, worldTag } from "#core/transparency-log/leaf.ts";
import { ByteReader, type Decoded, tryDecode } from "#core/transparency-log/varint.ts";

/** A product's published terms, pinned by orders that name their hash. */
export interface TermsLeaf {
  world: string;
  /** The terms in canonical JSON with practice labels: the hashed bytes. */
  bytes: Uint8Array;
  /** SHA-256 of `bytes`. */
  termsHash: Uint8Array;
  body: Record<string, unknown> & PracticeLabels;
}

/**
 * Encodes a `terms` leaf from the canonical JSON of the terms. Throws a RangeError if they lack the
 * practice labels or are not canonical.
 */
export function encodeTerms(terms: Uint8Array, world: string): Uint8Array {
  const bytes = concatBytes(leafHead("terms", worldTag(world)), terms);
  if (!decodeTerms(bytes, worldTag(world)).ok) throw new RangeError("not valid terms");
  return bytes;
}

/** Reads a `terms` leaf of the world with this tag (null: of any world). */
export function decodeTerms(bytes: Uint8Array, tag: Uint8Array | null): Decoded<TermsLeaf> {
  return tryDecode(() => {
    const { body, bytes: terms } = decodeJsonBody(new ByteReader(bytes), "terms", tag);
    return { world: body.world, bytes: terms, termsHash: sha256(terms), body };
  });
}
