import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
} from "node:crypto";
import { readFileSync } from "node:fs";
import { sha256 } from "../log/bytes.ts";
import { writeDurably } from "../log/durable.ts";
import { mlDsaType, subtreeMessage } from "../log/mlDsa.ts";
import type { Checkpoint } from "../log/note.ts";

/** Type of an Ed25519 cosignature key (https://c2sp.org/tlog-cosignature). */
const cosignatureType = 0x04;

export interface WitnessKey {
  name: string;
  /** `<name>+<key id>+<base64(04 ‖ public key)>`, for the policies of logs and readers. */
  vkey: string;
  /** The same with type ML-DSA-44, for readers; null if this version of Node lacks such keys. */
  mlDsaVkey: string | null;
  /** Signature lines on a checkpoint, each with its newline: one by each key. */
  cosign(checkpoint: Checkpoint, unixSeconds: number): string;
}

/**
 * Opens the witness's keys, or creates them on first use: an Ed25519 key and, where available, an
 * ML-DSA-44 key.
 */
export async function openWitnessKey(file: string, name: string): Promise<WitnessKey> {
  if (!/^[^\s+]+$/.test(name)) throw new Error("a witness's name has no spaces and no plus signs");
  const secret = await openKey(file, () => generateKeyPairSync("ed25519").privateKey);
  const mlDsaFile = file.replace(/\.pem$/, "-ml-dsa-44.pem");
  return witnessKey(name, secret, hasMlDsa ? await openKey(mlDsaFile, makeMlDsaKey) : null);
}

/**
 * OpenSSL has ML-DSA from 3.5 on; an older or differently built Node cosigns with Ed25519 alone.
 */
const hasMlDsa = (() => {
  try {
    makeMlDsaKey();
    return true;
  } catch {
    return false;
  }
})();

function makeMlDsaKey(): KeyObject {
  return generateKeyPairSync("ml-dsa-44").privateKey;
}

async function openKey(file: string, make: () => KeyObject): Promise<KeyObject> {
  try {
    return createPrivateKey(readFileSync(file, "utf8"));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    const created = make();
    await writeDurably(file, created.export({ type: "pkcs8", format: "pem" }).toString());
    return created;
  }
}

export function witnessKey(
  name: string,
  secret: KeyObject,
  mlDsaSecret: KeyObject | null = null,
): WitnessKey {
  const { x } = createPublicKey(secret).export({ format: "jwk" });
  const key = typedKey(name, cosignatureType, Buffer.from(x as string, "base64url"));
  const mlDsaKey = mlDsaSecret && typedKey(name, mlDsaType, mlDsaPublicKey(mlDsaSecret));
  return {
    name,
    vkey: key.vkey,
    mlDsaVkey: mlDsaKey?.vkey ?? null,
    cosign: (checkpoint, unixSeconds) => {
      const time = Buffer.alloc(8);
      time.writeBigUInt64BE(BigInt(unixSeconds));
      const line = (keyId: Buffer, signature: Buffer) =>
        `— ${name} ${Buffer.concat([keyId, time, signature]).toString("base64")}\n`;
      const message = `cosignature/v1\ntime ${unixSeconds}\n${checkpoint.text}`;
      const first = line(key.keyId, sign(null, Buffer.from(message, "utf8"), secret));
      if (!mlDsaKey) return first;
      const subtree = subtreeMessage(name, BigInt(unixSeconds), checkpoint);
      return first + line(mlDsaKey.keyId, sign(null, subtree, mlDsaSecret));
    },
  };
}

function mlDsaPublicKey(secret: KeyObject): Buffer {
  const { pub } = createPublicKey(secret).export({ format: "jwk" }) as { pub?: string };
  return Buffer.from(pub ?? "", "base64url");
}

function typedKey(name: string, type: number, publicKey: Buffer) {
  const keyBytes = Buffer.concat([Uint8Array.of(type), publicKey]);
  const keyId = sha256(Buffer.from(`${name}\n`), keyBytes).subarray(0, 4);
  return { keyId, vkey: `${name}+${keyId.toString("hex")}+${keyBytes.toString("base64")}` };
}
