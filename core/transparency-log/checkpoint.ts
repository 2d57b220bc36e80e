import { sha256 } from "@noble/hashes/sha2.js";
import {
  base64ToBytes,
  bytesToBase64,
  bytesToHex,
  concatBytes,
  utf8ToBytes,
} from "#core/transparency-log/bytes.ts";

/**
 * C2SP signed notes and checkpoints (https://c2sp.org/signed-note,
 * https://c2sp.org/tlog-checkpoint), Ed25519 only.
 */

/**
 * An Ed25519 signer supplied by the caller: node:crypto on the server, @noble/curves in the
 * browser.
 */
export type SignEd25519 = (message: Uint8Array) => Uint8Array;
export type VerifyEd25519 = (
  signature: Uint8Array,
  message: Uint8Array,
  publicKey: Uint8Array,
) => boolean;

/** Types of keys in C2SP notes: a log's signature, and a witness's cosignature. */
export const keyTypes = { log: 0x01, witness: 0x04 } as const;
type KeyType = (typeof keyTypes)[keyof typeof keyTypes];
const dash = "\u2014";
/** More than the 16 every verifier must accept, yet small enough to bound the work. */
const signaturesMax = 64;

/** A note key: name, 4-byte key id in hex, and the 32-byte Ed25519 public key. */
export interface NoteKey {
  name: string;
  id: string;
  publicKey: Uint8Array;
}

export interface Checkpoint {
  origin: string;
  size: number;
  root: Uint8Array;
}

/** A key name has no spaces or plus signs, so that notes and vkeys can be split. */
function isKeyName(name: string): boolean {
  return name.length > 0 && !/[\s+]/u.test(name) && !hasControls(name);
}

/**
 * key id = SHA-256(name ‖ 0x0A ‖ type ‖ public key)[:4]. Throws a RangeError for an unusable name
 * or key.
 */
export function noteKey(
  name: string,
  publicKey: Uint8Array,
  type: KeyType = keyTypes.log,
): NoteKey {
  if (!isKeyName(name) || publicKey.length !== 32) throw new RangeError("unusable note key");
  const input = concatBytes(utf8ToBytes(name), Uint8Array.of(0x0a, type), publicKey);
  return { name, id: bytesToHex(sha256(input).subarray(0, 4)), publicKey };
}

/** The verifier key line: `<name>+<id>+base64(type ‖ public key)`. */
export function encodeVkey(key: NoteKey, type: KeyType = keyTypes.log): string {
  const encoded = bytesToBase64(concatBytes(Uint8Array.of(type), key.publicKey));
  return `${key.name}+${key.id}+${encoded}`;
}

/**
 * Parses a verifier key; null when malformed, of another type, or with an id that does not match.
 */
export function parseVkey(text: string, type: KeyType = keyTypes.log): NoteKey | null {
  const match = /^([^+\s]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/=]+)$/.exec(text);
  const bytes = match ? base64ToBytes(match[3]!) : null;
  if (!match || bytes?.length !== 33 || bytes[0] !== type || !isKeyName(match[1]!)) return null;
  const key = noteKey(match[1]!, bytes.subarray(1), type);
  return key.id === match[2] ? key : null;
}

/** The note text of a checkpoint: origin, size and root, one per line. */
export function checkpointText({ origin, size, root }: Checkpoint): string {
  return `${origin}\n${size}\n${bytesToBase64(root)}\n`;
}

/** A signed note: the text, an empty line, one signature line per signer. */
export function signNote(
  text: string,
  signers: readonly { key: NoteKey; sign: SignEd25519 }[],
): string {
  const message = utf8ToBytes(text);
  const lines = signers.map(({ key, sign }) => {
    const id = Uint8Array.from(key.id.match(/../g)!, (pair) => Number.parseInt(pair, 16));
    return `${dash} ${key.name} ${bytesToBase64(concatBytes(id, sign(message)))}\n`;
  });
  return `${text}\n${lines.join("")}`;
}

export type NoteError = "note_malformed" | "key_unknown" | "signature_wrong";

export interface NoteSignature {
  name: string;
  id: string;
  signature: Uint8Array;
}

function hasControls(text: string): boolean {
  return Array.from(text).some((letter) => letter < " ");
}

/** A note's text and its signatures, unverified; null when malformed. */
export function splitNote(note: string): { text: string; signatures: NoteSignature[] } | null {
  if (hasControls(note.replaceAll("\n", "")) || !note.endsWith("\n")) return null;
  const separator = note.lastIndexOf("\n\n");
  if (separator < 0) return null;
  const lines = note.slice(separator + 2, -1).split("\n");
  if (lines.length > signaturesMax) return null;
  const signatures: NoteSignature[] = [];
  for (const line of lines) {
    const match = new RegExp(`^${dash} ([^\\s+]+) ([A-Za-z0-9+/=]+)$`, "u").exec(line);
    const bytes = match ? base64ToBytes(match[2]!) : null;
    if (!match || !bytes || bytes.length < 5) return null;
    signatures.push({
      name: match[1]!,
      id: bytesToHex(bytes.subarray(0, 4)),
      signature: bytes.subarray(4),
    });
  }
  return { text: note.slice(0, separator + 1), signatures };
}

/**
 * Opens a note with trusted keys. Signatures of other keys are ignored; a failing signature of a
 * trusted key invalidates the note. Returns the keys that signed.
 */
export function openNote(
  note: string,
  trusted: readonly NoteKey[],
  verify: VerifyEd25519,
): { ok: true; text: string; signers: NoteKey[] } | { ok: false; error: NoteError } {
  const parts = splitNote(note);
  if (!parts) return { ok: false, error: "note_malformed" };
  const message = utf8ToBytes(parts.text);
  const signers: NoteKey[] = [];
  for (const { name, id, signature } of parts.signatures) {
    const key = trusted.find((trustedKey) => trustedKey.name === name && trustedKey.id === id);
    if (!key) continue;
    if (signature.length !== 64 || !verify(signature, message, key.publicKey)) {
      return { ok: false, error: "signature_wrong" };
    }
    signers.push(key);
  }
  if (signers.length === 0) return { ok: false, error: "key_unknown" };
  return { ok: true, text: parts.text, signers };
}

/**
 * Parses a checkpoint's text; null when malformed. Extension lines are allowed and ignored, as C2SP
 * requires.
 */
export function parseCheckpoint(text: string): Checkpoint | null {
  const [origin, size, rootText, ...rest] = text.split("\n");
  if (!origin || rootText === undefined || rest.pop() !== "" || rest.includes("")) return null;
  if (!/^(0|[1-9][0-9]{0,15})$/.test(size!) || !Number.isSafeInteger(Number(size))) return null;
  const root = base64ToBytes(rootText);
  return root?.length === 32 ? { origin, size: Number(size), root } : null;
}

/** Opens a signed checkpoint of the log `origin`. A trusted key must have signed it. */
export function openCheckpoint(
  note: string,
  origin: string,
  trusted: readonly NoteKey[],
  verify: VerifyEd25519,
): { ok: true; checkpoint: Checkpoint } | { ok: false; error: NoteError | "origin_wrong" } {
  const result = openNote(note, trusted, verify);
  if (!result.ok) return result;
  const checkpoint = parseCheckpoint(result.text);
  if (!checkpoint) return { ok: false, error: "note_malformed" };
  if (checkpoint.origin !== origin) return { ok: false, error: "origin_wrong" };
  return { ok: true, checkpoint };
}
