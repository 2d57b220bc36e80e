import { sha256 } from "@noble/hashes/sha2.js";
import { concatBytes, utf8ToBytes } from "@noble/hashes/utils.js";

/**
 * The backup of a practice wallet: `drydock-practice-1:` and 58 letters in groups. It holds the
 * seed, which is not a key of any chain, in a form no wallet imports: neither a BIP-39 phrase nor a
 * raw private key.
 */
const mark = "drydock-practice-1:";
/** The alphabet leaves out i, l, o and u, which are easily misread. */
const letters = "0123456789abcdefghjkmnpqrstvwxyz";
const seedBytes = 32;
const checkBytes = 4;

function computeChecksum(seed: Uint8Array): Uint8Array {
  return sha256(concatBytes(utf8ToBytes(`${mark}check`), seed)).slice(0, checkBytes);
}

/** `seed`: 32 bytes. */
export function writeBackup(seed: Uint8Array): string {
  if (seed.length !== seedBytes) throw new RangeError("a practice seed has 32 bytes");
  let bits = 0n;
  for (const byte of concatBytes(seed, computeChecksum(seed))) bits = (bits << 8n) | BigInt(byte);
  let text = "";
  for (let index = 0; index < 58; index++) {
    text = (letters[Number(bits & 31n)] as string) + text;
    bits >>= 5n;
  }
  return mark + (text.match(/.{1,5}/g) as string[]).join("-");
}

export type BackupTextError = "not_ours" | "incomplete" | "checksum";

/** Reads what `writeBackup` wrote, ignoring blanks, dashes and case. */
export function parseBackup(
  text: string,
): { ok: true; seed: Uint8Array } | { ok: false; error: BackupTextError } {
  const normalised = text.toLowerCase().replaceAll(/\s/g, "");
  const start = normalised.indexOf(mark);
  if (start < 0) return { ok: false, error: "not_ours" };
  const body = normalised
    .slice(start + mark.length)
    .replaceAll("-", "")
    .replaceAll("o", "0")
    .replaceAll(/[il]/g, "1");
  if (body.length !== 58) return { ok: false, error: "incomplete" };
  let bits = 0n;
  for (const letter of body) {
    const value = letters.indexOf(letter);
    if (value < 0) return { ok: false, error: "checksum" };
    bits = (bits << 5n) | BigInt(value);
  }
  if (bits >> 288n !== 0n) return { ok: false, error: "checksum" };
  const bytes = new Uint8Array(seedBytes + checkBytes);
  for (let index = bytes.length - 1; index >= 0; index--) {
    bytes[index] = Number(bits & 255n);
    bits >>= 8n;
  }
  const seed = bytes.slice(0, seedBytes);
  const check = computeChecksum(seed);
  if (bytes.slice(seedBytes).some((byte, index) => byte !== check[index])) {
    return { ok: false, error: "checksum" };
  }
  return { ok: true, seed };
}
