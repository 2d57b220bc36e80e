import { secp256k1 } from "@noble/curves/secp256k1.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { keccak_256 } from "@noble/hashes/sha3.js";
import { bytesToHex, concatBytes, utf8ToBytes } from "@noble/hashes/utils.js";
import { checksumAddress } from "#core/session/address.ts";

/**
 * A practice wallet: signs in to Drydock and does nothing else. Its address goes over the wire but
 * is never shown.
 */
export interface PracticeWallet {
  address: string;
  /** EIP-191 signature of `text` in hex. */
  sign(text: string): string;
}

/** No chain has this id, so whatever a practice wallet signs is recognisable. */
export const practiceChainId = "735700000000000";

/**
 * Derives the wallet of a seed. One more step separates the key from the seed, so that a backup is
 * not a key that a wallet could import.
 */
export function deriveWallet(seed: Uint8Array): PracticeWallet {
  const key = deriveSecret(seed);
  const point = secp256k1.getPublicKey(key, false);
  const address = checksumAddress(`0x${bytesToHex(keccak_256(point.slice(1)).slice(-20))}`);
  return {
    address,
    sign: (text) => {
      const bytes = utf8ToBytes(text);
      const frame = utf8ToBytes(`\x19Ethereum Signed Message:\n${bytes.length}`);
      const hash = keccak_256(concatBytes(frame, bytes));
      const signature = secp256k1.sign(hash, key, { prehash: false, format: "recovered" });
      const v = (27 + (signature[0] as number)).toString(16);
      return `0x${bytesToHex(signature.slice(1))}${v}`;
    },
  };
}

function deriveSecret(seed: Uint8Array): Uint8Array {
  let key = sha256(concatBytes(utf8ToBytes("drydock practice wallet 1"), seed));
  // One hash in 2^128 is not a valid key of the curve.
  while (!secp256k1.utils.isValidSecretKey(key)) key = sha256(key);
  return key;
}
