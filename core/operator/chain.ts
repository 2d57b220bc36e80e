import { sha256 } from "@noble/hashes/sha2.js";
import { concatBytes, utf8ToBytes } from "#core/transparency-log/bytes.ts";
import { canonicalBytes } from "#core/transparency-log/canonical.ts";

/**
 * An audit entry as it is hashed. Anything that may have to be erased is included only as
 * `textHash`.
 */
export interface ChainedAuditEvent {
  /** 1, 2, 3 … without gaps. */
  seq: number;
  /** Real time. */
  atMs: number;
  operatorId: string;
  role: string;
  what: string;
  target: string | null;
  /** Opaque id of the person affected. */
  touches: string | null;
  /** Salted hash of reason and details (`textHash`), lower-case hex; null if there are none. */
  textHash: string | null;
}

/** The hash before the first entry. */
export const chainStart = "0".repeat(64);

/**
 * The hash of an entry: SHA-256 over the canonical JSON of its fields, with the practice labels and
 * the previous entry's hash (docs/rules/operator.md, "The chain"). `previous` is lower-case hex.
 */
export function auditEventHash(
  world: string,
  previous: string,
  act: ChainedAuditEvent,
): Uint8Array {
  return sha256(
    canonicalBytes({
      format: "drydock.operator-act/1",
      practice: true,
      backing: "none",
      world,
      previous,
      seq: act.seq,
      at_ms: act.atMs,
      operator: act.operatorId,
      role: act.role,
      what: act.what,
      target: act.target,
      touches: act.touches,
      text: act.textHash,
    }),
  );
}

/**
 * SHA-256 over a 32-byte salt and the text; without the salt, guesses at the text cannot be tested.
 */
export function textHash(salt: Uint8Array, text: string): Uint8Array {
  return sha256(concatBytes(salt, utf8ToBytes(text)));
}
