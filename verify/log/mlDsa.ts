import { createPublicKey, verify } from "node:crypto";

/**
 * Cosignatures of the type ML-DSA-44 (https://c2sp.org/tlog-cosignature), which a quantum computer
 * could not forge. FIPS 204 with an empty context, by Node's own OpenSSL.
 */
export const mlDsaType = 0x06;
export const mlDsaKeyBytes = 1_312;
const mlDsaSignatureBytes = 2_420;

/** The `cosigned_message` of a checkpoint: a subtree that begins at leaf 0. */
export function subtreeMessage(
  cosigner: string,
  seconds: bigint,
  { origin, size, root }: { origin: string; size: number; root: Buffer },
): Buffer {
  const number = (value: bigint) => {
    const bytes = Buffer.alloc(8);
    bytes.writeBigUInt64BE(value);
    return bytes;
  };
  const withLength = (text: string) => {
    const bytes = Buffer.from(text, "utf8");
    if (bytes.length < 1 || bytes.length > 255) throw new RangeError("a name of 1 to 255 bytes");
    return Buffer.concat([Uint8Array.of(bytes.length), bytes]);
  };
  return Buffer.concat([
    Buffer.from("subtree/v1\n\0", "utf8"),
    withLength(cosigner),
    number(seconds),
    withLength(origin),
    number(0n),
    number(BigInt(size)),
    root,
  ]);
}

export function verifyMlDsa(message: Buffer, signature: Buffer, publicKey: Buffer): boolean {
  if (signature.length !== mlDsaSignatureBytes || publicKey.length !== mlDsaKeyBytes) return false;
  const jwk = { kty: "AKP", alg: "ML-DSA-44", pub: publicKey.toString("base64url") };
  return verify(null, message, createPublicKey({ key: jwk, format: "jwk" }), signature);
}
