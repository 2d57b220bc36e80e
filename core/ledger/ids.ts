import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import { type Canonical, canonicalBytes } from "#core/transparency-log/canonical.ts";

const uuidV7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** Returns true if `text` is a UUIDv7 in lower-case hex, as an idempotency key must be. */
export function isUuidV7(text: string): boolean {
  return uuidV7.test(text);
}

/**
 * The journal id of a user's idempotency key: a UUIDv8 whose first 48 bits are the key's time and
 * the rest from SHA-256 over user id, a line break and key. So keys need to be unique only per
 * user, and ids still sort roughly by time. Source: docs/rules/wire.md.
 */
export function deriveKeyJournalId(userId: string, key: string): string {
  const digest = sha256(utf8ToBytes(`${userId}\n${key}`));
  return uuidV8(key.replaceAll("-", "").slice(0, 12), bytesToHex(digest));
}

/**
 * The journal id of an event that happens only once, such as the start of an attempt: a UUIDv8 from
 * SHA-256 over its name.
 */
export function deriveJournalId(kind: string, ...names: string[]): string {
  const digest = bytesToHex(sha256(utf8ToBytes([kind, ...names].join("\n"))));
  return uuidV8(digest.slice(32, 44), digest);
}

/** `head`: 12 hex digits; `digest`: at least 20. */
function uuidV8(head: string, digest: string): string {
  const variant = "89ab"[Number.parseInt(digest[3] as string, 16) & 3] as string;
  return [
    head.slice(0, 8),
    head.slice(8),
    `8${digest.slice(0, 3)}`,
    variant + digest.slice(4, 7),
    digest.slice(7, 19),
  ].join("-");
}

/**
 * The body hash of a journal: SHA-256 over the canonical JSON of the request with the practice
 * marks. The same id with another hash is refused.
 */
export function hashBody(world: string, call: string, input: Canonical): Uint8Array {
  return sha256(canonicalBytes({ practice: true, backing: "none", world, call, input }));
}
