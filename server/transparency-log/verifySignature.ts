import { createPublicKey, verify } from "node:crypto";
import type { VerifyEd25519 } from "#core/transparency-log/checkpoint.ts";

const spkiPrefix = Buffer.from("302a300506032b6570032100", "hex");

/** Readers verify by the strict rule of docs/formats/log.md; this is for the instance itself. */
export const verifySignature: VerifyEd25519 = (signature, message, publicKey) => {
  const spki = Buffer.concat([spkiPrefix, publicKey]);
  const key = createPublicKey({ key: spki, format: "der", type: "spki" });
  return verify(null, message, key, signature);
};
