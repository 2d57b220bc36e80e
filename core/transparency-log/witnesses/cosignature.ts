import { concatBytes, utf8ToBytes } from "#core/transparency-log/bytes.ts";
import {
  keyTypes,
  type NoteKey,
  parseVkey,
  splitNote,
  type VerifyEd25519,
} from "#core/transparency-log/checkpoint.ts";

/**
 * Cosignatures of outside witnesses on a checkpoint (https://c2sp.org/tlog-cosignature, Ed25519). A
 * server cannot say how many witnesses follow its log: only signatures count, of keys that the
 * reader knows from elsewhere.
 */

/** A witness's verifier key; null when malformed or of another type. */
export const parseWitnessKey = (vkey: string): NoteKey | null => parseVkey(vkey, keyTypes.witness);

/** A witness's signature over a checkpoint, and when it says that it saw it. */
export interface Cosignature {
  vkey: string;
  /** Unix time in milliseconds. */
  atMs: number;
  signature: Uint8Array;
}

/**
 * How far a cosignature's time may be from now, either way, to count. The log asks its witnesses
 * every 15 seconds; one that stopped watching must not count for what came after.
 */
const recentMs = 600_000;

export const isRecent = ({ atMs }: Pick<Cosignature, "atMs">, nowMs: number): boolean =>
  Math.abs(nowMs - atMs) <= recentMs;

/** The latest cosignature of each of these witnesses, by public key, on the note. */
export function findCosignatures(
  note: string,
  vkeys: readonly string[],
  verify: VerifyEd25519,
): Cosignature[] {
  const parts = splitNote(note);
  if (!parts) return [];
  const cosignatures = new Map<string, Cosignature>();
  for (const vkey of vkeys) {
    const key = parseWitnessKey(vkey);
    if (!key) continue;
    for (const { name, id, signature } of parts.signatures) {
      if (name !== key.name || id !== key.id) continue;
      if (!isCosignature(parts.text, signature, key.publicKey, verify)) continue;
      const atMs = Number(readTime(signature)) * 1_000;
      const knownCosignature = cosignatures.get(key.publicKey.join());
      if (!knownCosignature || knownCosignature.atMs < atMs)
        cosignatures.set(key.publicKey.join(), { vkey, atMs, signature: signature.slice(8) });
    }
  }
  return [...cosignatures.values()];
}

/** 8 bytes of a Unix time in seconds, then an Ed25519 signature over that time and the note. */
function isCosignature(
  text: string,
  bytes: Uint8Array,
  publicKey: Uint8Array,
  verify: VerifyEd25519,
): boolean {
  if (bytes.length !== 72) return false;
  return verify(bytes.subarray(8), cosignedBytes(text, readTime(bytes)), publicKey);
}

const readTime = (bytes: Uint8Array): bigint =>
  new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0);

/** The bytes that a witness signs: the time at which it saw the checkpoint, and the checkpoint. */
export function cosignedBytes(text: string, seconds: bigint): Uint8Array {
  return concatBytes(utf8ToBytes(`cosignature/v1\ntime ${seconds}\n`), utf8ToBytes(text));
}
