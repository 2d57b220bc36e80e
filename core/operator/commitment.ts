import { sha256 } from "@noble/hashes/sha2.js";
import type { EventDetails } from "#core/transparency-log/auditLeaf.ts";
import { bytesToHex, concatBytes, utf8ToBytes } from "#core/transparency-log/bytes.ts";
import { type Canonical, canonicalBytes } from "#core/transparency-log/canonical.ts";

/** An act as committed to: everything known about it. */
export interface CommittedEvent {
  what: string;
  /** Opaque id. */
  operator: string;
  role: string;
  target: string | null;
  /** Opaque id of the person it touches. */
  touches: string | null;
  /** The operator's reason. */
  why: string | null;
  details: EventDetails | null;
}

/**
 * Returns true if an act is wholly private: it affects a person, or concerns the operators
 * themselves.
 */
export function isPrivateEvent({
  what,
  touches,
}: Pick<CommittedEvent, "what" | "touches">): boolean {
  return touches !== null || what.startsWith("operators.");
}

/**
 * The commitment to an act: SHA-256(`drydock.act/1` ‖ 0x0A ‖ salt (32) ‖ canonical JSON of the act
 * with the practice labels), lower-case hex. A guess at the act cannot be tested without the salt.
 */
export function computeEventCommitment(
  world: string,
  salt: Uint8Array,
  act: CommittedEvent,
): string {
  if (salt.length !== 32) throw new RangeError("a salt has 32 bytes");
  const { what, operator, role, target, touches, why, details } = act;
  const marks = { practice: true, backing: "none", world } as const;
  const body = { ...marks, what, operator, role, target, touches, why, details };
  return bytesToHex(
    sha256(concatBytes(utf8ToBytes("drydock.act/1\n"), salt, canonicalBytes(body))),
  );
}

/**
 * The hash of a publication: SHA-256 of the canonical JSON of its kind and body with the practice
 * labels, lower-case hex.
 */
export function publishedTextHash(world: string, kind: string, body: Canonical): string {
  return bytesToHex(sha256(canonicalBytes({ practice: true, backing: "none", world, kind, body })));
}

/** The languages that a body is written in, as a leaf states them. */
export function listLanguages(body: unknown): string[] {
  const { languages } = body as { languages?: unknown };
  return typeof languages === "object" && languages !== null ? Object.keys(languages).sort() : [];
}
