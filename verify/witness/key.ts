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

/** Type of an Ed25519 cosignature key (https://c2sp.org/tlog-cosignature). */
const cosignatureType = 0x04;

export interface WitnessKey {
  name: string;
  /** `<name>+<key id>+<base64(04 ‖ public key)>`, for the policies of logs and readers. */
  vkey: string;
  /** A signature line on a checkpoint's text, with its newline. */
  cosign(text: string, unixSeconds: number): string;
}

/** Opens the witness's key, and makes one on first use. */
export async function openWitnessKey(file: string, name: string): Promise<WitnessKey> {
  if (!/^[^\s+]+$/.test(name)) throw new Error("a witness's name has no spaces and no plus signs");
  let pem: string;
  try {
    pem = readFileSync(file, "utf8");
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== "ENOENT") throw cause;
    const { privateKey } = generateKeyPairSync("ed25519");
    pem = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
    await writeDurably(file, pem);
  }
  return witnessKey(name, createPrivateKey(pem));
}

export function witnessKey(name: string, secret: KeyObject): WitnessKey {
  const { x } = createPublicKey(secret).export({ format: "jwk" });
  const typed = Buffer.concat([
    Uint8Array.of(cosignatureType),
    Buffer.from(x as string, "base64url"),
  ]);
  const keyId = sha256(Buffer.from(`${name}\n`), typed).subarray(0, 4);
  return {
    name,
    vkey: `${name}+${keyId.toString("hex")}+${typed.toString("base64")}`,
    cosign: (text, unixSeconds) => {
      const time = Buffer.alloc(8);
      time.writeBigUInt64BE(BigInt(unixSeconds));
      const message = Buffer.from(`cosignature/v1\ntime ${unixSeconds}\n${text}`, "utf8");
      const signature = Buffer.concat([keyId, time, sign(null, message, secret)]);
      return `— ${name} ${signature.toString("base64")}\n`;
    },
  };
}
