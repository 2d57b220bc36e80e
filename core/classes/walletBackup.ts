import { xchacha20poly1305 } from "@noble/ciphers/chacha.js";
import { scryptAsync } from "@noble/hashes/scrypt.js";
import { utf8ToBytes } from "@noble/hashes/utils.js";
import { concatBytes } from "#core/transparency-log/bytes.ts";

/** Two keys derived from a code and a PIN together. */
export interface BackupKeys {
  /** Sent to the server, which returns a backup only for a matching proof: 32 bytes. */
  proof: Uint8Array;
  /** Encrypts the backup and never leaves the browser: 32 bytes. */
  key: Uint8Array;
}

/** scrypt (RFC 7914) with 32 MB: about a second on a phone. */
const cost = { N: 2 ** 15, r: 8, p: 1, dkLen: 64 };
const mark = "drydock class wallet 1";
const nonceBytes = 24;
const seedBytes = 32;
/** Bytes of a backup: nonce, seed and the tag of XChaCha20-Poly1305. */
export const backupBytes = nonceBytes + seedBytes + 16;

/**
 * Derives the keys of a backup from the 12 letters of a class code and a PIN of six digits. Both
 * are needed: the code is the salt, so that PINs cannot be tried against many codes at once.
 */
export async function deriveBackupKeys(code: string, pin: string): Promise<BackupKeys> {
  const bytes = await scryptAsync(utf8ToBytes(pin), utf8ToBytes(`${mark}\n${code}`), cost);
  return { proof: bytes.slice(0, 32), key: bytes.slice(32) };
}

/** Encrypts a practice wallet's seed (32 bytes). `nonce`: 24 random bytes, never used again. */
export function encryptSeed(seed: Uint8Array, key: Uint8Array, nonce: Uint8Array): Uint8Array {
  if (seed.length !== seedBytes) throw new RangeError("a practice seed has 32 bytes");
  const encrypted = xchacha20poly1305(key, nonce, utf8ToBytes(mark)).encrypt(seed);
  return concatBytes(nonce, encrypted);
}

/** Decrypts the output of `encryptSeed`; null if the key is wrong or the bytes were changed. */
export function decryptSeed(backup: Uint8Array, key: Uint8Array): Uint8Array | null {
  if (backup.length !== backupBytes) return null;
  const nonce = backup.subarray(0, nonceBytes);
  try {
    return xchacha20poly1305(key, nonce, utf8ToBytes(mark)).decrypt(backup.subarray(nonceBytes));
  } catch {
    return null;
  }
}
