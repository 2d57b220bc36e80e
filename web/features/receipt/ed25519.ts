import { ed25519 } from "@noble/curves/ed25519.js";
import type { VerifyEd25519 } from "#core/transparency-log/checkpoint.ts";

/**
 * Ed25519 under the one rule of docs/formats/log.md: the key and R are canonical encodings of
 * points of the prime-order subgroup other than the identity, S is below the group order, and
 * S·B = R + k·A without a cofactor. On the prime-order subgroup the library's own equation, which
 * multiplies by the cofactor, says the same.
 */
export const verifyEd25519: VerifyEd25519 = (signature, message, publicKey) =>
  signature.length === 64 &&
  isPrimeOrder(publicKey) &&
  isPrimeOrder(signature.subarray(0, 32)) &&
  ed25519.verify(signature, message, publicKey, { zip215: false });

function isPrimeOrder(encoded: Uint8Array): boolean {
  try {
    const point = ed25519.Point.fromBytes(encoded, false);
    return !point.isSmallOrder() && point.isTorsionFree();
  } catch {
    return false; // not canonical, or not on the curve
  }
}
