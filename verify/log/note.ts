import { equalBytes, MismatchError, sha256 } from "./bytes.ts";
import { verifyEd25519 } from "./ed25519.ts";
import { mlDsaKeyBytes, mlDsaType, subtreeMessage, verifyMlDsa } from "./mlDsa.ts";

/** A C2SP signed note containing a checkpoint (docs/formats/log.md, "Checkpoint"). */
export interface Checkpoint {
  origin: string;
  size: number;
  root: Buffer;
  /** The signed text, including its final newline. */
  text: string;
  signatures: { name: string; keyId: Buffer; signature: Buffer }[];
}

export interface VerifierKey {
  name: string;
  keyId: Buffer;
  publicKey: Buffer;
  vkey: string;
}

/** Parses `<name>+<key id>+<base64(type ‖ public key)>` and recomputes the key id. */
export function parseVerifierKey(vkey: string, type = 0x01): VerifierKey {
  const match = /^([^\s+]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/=]+)$/.exec(vkey);
  const encoded = Buffer.from(match?.[3] ?? "", "base64");
  const keyBytes = type === mlDsaType ? mlDsaKeyBytes : 32;
  const isWellFormed = encoded.length === 1 + keyBytes && encoded.toString("base64") === match?.[3];
  if (!match || !isWellFormed || encoded[0] !== type)
    throw new MismatchError("signature", "key_malformed", vkey);
  const name = match[1] as string;
  const keyId = sha256(Buffer.from(`${name}\n`), encoded).subarray(0, 4);
  if (keyId.toString("hex") !== match[2])
    throw new MismatchError("signature", "key_id_differs", vkey);
  return { name, keyId, publicKey: encoded.subarray(1), vkey };
}

export function parseCheckpoint(note: string): Checkpoint {
  const split = note.lastIndexOf("\n\n");
  const text = note.slice(0, split + 1);
  const lines = text.split("\n");
  const malformed = (detail: string) =>
    new MismatchError("signature", "checkpoint_malformed", detail);
  if (split < 0 || !note.endsWith("\n") || lines.length !== 4) throw malformed("its lines");
  const [origin, size, root] = lines as [string, string, string];
  if (!origin || !/^(0|[1-9][0-9]{0,15})$/.test(size)) throw malformed("origin or size");
  const rootBytes = Buffer.from(root, "base64");
  if (rootBytes.length !== 32 || rootBytes.toString("base64") !== root) throw malformed("root");
  const signatures = note
    .slice(split + 2, -1)
    .split("\n")
    .map((line) => {
      const match = /^— ([^\s+]+) ([A-Za-z0-9+/=]+)$/.exec(line);
      const bytes = Buffer.from(match?.[2] ?? "", "base64");
      if (!match || bytes.length < 5 || bytes.toString("base64") !== match[2])
        throw malformed("a signature line");
      return {
        name: match[1] as string,
        keyId: bytes.subarray(0, 4),
        signature: bytes.subarray(4),
      };
    });
  return { origin, size: Number(size), root: rootBytes, text, signatures };
}

/** Returns true if `key` signed the checkpoint. */
export function isSignedBy(checkpoint: Checkpoint, key: VerifierKey): boolean {
  return checkpoint.signatures.some(
    ({ name, keyId, signature }) =>
      name === key.name &&
      equalBytes(keyId, key.keyId) &&
      verifyEd25519(Buffer.from(checkpoint.text, "utf8"), signature, key.publicKey),
  );
}

/** The key of a witness, whose signatures are cosignatures (https://c2sp.org/tlog-cosignature). */
export const parseWitnessKey = (vkey: string): VerifierKey => parseVerifierKey(vkey, 0x04);

/** The third part of a verifier key; base64 itself contains plus signs. */
export const keyMaterial = (vkey: string): string => vkey.split("+").slice(2).join("+");

/** Parses a key of a witness, of either type of cosignature. */
export function parseCosignerKey(vkey: string): VerifierKey {
  const encoded = Buffer.from(keyMaterial(vkey), "base64");
  return encoded[0] === mlDsaType ? parseVerifierKey(vkey, mlDsaType) : parseWitnessKey(vkey);
}

/** A witness's signature over a checkpoint, and the Unix time that it states. */
export interface Cosignature {
  vkey: string;
  seconds: number;
}

/** How far a cosignature's time may be from now, either way, to count. */
export const cosignedWithinSeconds = 600;

/**
 * The latest cosignature of each of these witnesses on the checkpoint, each witness once: by its
 * public key, and by its name if it signs with a key of each type.
 */
export function findCosignatures(
  checkpoint: Checkpoint,
  witnesses: readonly VerifierKey[],
): Cosignature[] {
  const latestByWitness = new Map<string, Cosignature>();
  for (const witness of witnesses) {
    const { vkey } = witness;
    for (const { name, keyId, signature } of checkpoint.signatures) {
      if (name !== witness.name || !equalBytes(keyId, witness.keyId) || signature.length < 72)
        continue;
      if (!isCosignedBy(checkpoint, signature, witness)) continue;
      const seconds = Number(signature.readBigUInt64BE(0));
      const ed25519Witness = witnesses.find(
        (witness) => witness.name === name && !isMlDsa(witness),
      );
      const id = (isMlDsa(witness) && ed25519Witness ? ed25519Witness : witness).publicKey.toString(
        "hex",
      );
      if (seconds > (latestByWitness.get(id)?.seconds ?? -1))
        latestByWitness.set(id, { vkey, seconds });
    }
  }
  return [...latestByWitness.values()];
}

const isMlDsa = ({ publicKey }: VerifierKey): boolean => publicKey.length === mlDsaKeyBytes;

function isCosignedBy(checkpoint: Checkpoint, signature: Buffer, key: VerifierKey): boolean {
  const seconds = signature.readBigUInt64BE(0);
  const signatureBytes = signature.subarray(8);
  if (isMlDsa(key))
    return verifyMlDsa(
      subtreeMessage(key.name, seconds, checkpoint),
      signatureBytes,
      key.publicKey,
    );
  const text = Buffer.from(`cosignature/v1\ntime ${seconds}\n${checkpoint.text}`, "utf8");
  return verifyEd25519(text, signatureBytes, key.publicKey);
}

export const isRecent = ({ seconds }: Cosignature, nowSeconds: number): boolean =>
  Math.abs(nowSeconds - seconds) <= cosignedWithinSeconds;
