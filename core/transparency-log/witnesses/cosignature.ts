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

/** How many of these witnesses, by public key, have cosigned the note. */
export function countWitnesses(
  note: string,
  vkeys: readonly string[],
  verify: VerifyEd25519,
): number {
  const parts = splitNote(note);
  if (!parts) return 0;
  const signed = vkeys
    .map((vkey) => parseWitnessKey(vkey))
    .filter((key) => key !== null)
    .filter(({ name, id, publicKey }) =>
      parts.signatures.some(
        (one) =>
          one.name === name &&
          one.id === id &&
          isCosignature(parts.text, one.signature, publicKey, verify),
      ),
    );
  return new Set(signed.map(({ publicKey }) => publicKey.join())).size;
}

/** 8 bytes of a Unix time in seconds, then an Ed25519 signature over that time and the note. */
function isCosignature(
  text: string,
  bytes: Uint8Array,
  publicKey: Uint8Array,
  verify: VerifyEd25519,
): boolean {
  if (bytes.length !== 72) return false;
  return verify(bytes.subarray(8), cosignedBytes(text, timeOf(bytes)), publicKey);
}

const timeOf = (bytes: Uint8Array): bigint =>
  new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0);

/** What a witness signs: the time at which it saw the checkpoint, and the checkpoint. */
export function cosignedBytes(text: string, seconds: bigint): Uint8Array {
  return concatBytes(utf8ToBytes(`cosignature/v1\ntime ${seconds}\n`), utf8ToBytes(text));
}
