import { parseHash, utf8ToBytes } from "#core/transparency-log/bytes.ts";
import {
  type Canonical,
  canonicalText,
  hasPracticeLabels,
  parseCanonical,
} from "#core/transparency-log/canonical.ts";
import {
  type NoteKey,
  openNote,
  parseVkey,
  type VerifyEd25519,
} from "#core/transparency-log/checkpoint.ts";
import { leafHash, verifyInclusion } from "#core/transparency-log/merkle.ts";
import {
  exactly,
  isCount,
  isHash,
  isObject,
  isText,
  orNull,
  type Test,
} from "#core/transparency-log/schema.ts";

/** Acknowledgements of money calls. Source: docs/formats/acknowledgement.md. */
const acknowledgementFormat = "drydock.acknowledgement/1";
const batchFormat = "drydock.acknowledgement-batch/1";
const certificateFormat = "drydock.acknowledgement-key/1";
export const keptFormat = "drydock.acknowledgement.kept/1";

/** Real milliseconds until an accepted call is in the log, if a `second` leaf binds its hash. */
const boundWithinMs = 10_000;
/** The same for any other call, which a `liabilities` leaf covers. */
const committedWithinMs = 300_000;

/** An instance's promise with each money call that it accepts. */
export interface Acknowledgement {
  world: string;
  /** The log's origin. */
  log: string;
  /** Path of the call. */
  call: string;
  /** The `Idempotency-Key` that the person sent, in lower case. */
  key: string;
  body_hash: string;
  /** The journal's id, and so the order's or lease's. */
  id: string;
  /** The hash bound by a `second` leaf; null when nothing is bound. */
  hash: string | null;
  /** World time, like `due_at_ms`. */
  accepted_at_ms: number;
  due_at_ms: number;
  /** A tree that the log had signed before it answered. */
  tree: { size: number; root: string };
}

/**
 * The promise as it was sent: its text, and the signed batch of promises that it is in. One
 * signature covers all calls accepted at the same time.
 */
export interface SignedAcknowledgement {
  /** The canonical JSON of an `Acknowledgement`. */
  promise: string;
  /** Place in the batch, from 0. */
  index: number;
  /** RFC 9162 inclusion path to the batch's root, hex. */
  path: string[];
  /** Signed note. */
  batch: string;
}

/** The client's record of an acknowledged call. */
export interface KeptAcknowledgement {
  format: typeof keptFormat;
  practice: true;
  backing: "none";
  acknowledgement: SignedAcknowledgement;
  /** Null if none could be fetched. */
  certificate: string | null;
  /** The request as the client sent it. */
  sent: {
    call: string;
    key: string;
    body_hash: string;
    /** World time by its own clock when it sent the call last; null if it did not note it. */
    at_ms: number | null;
  };
}

/** Name of the key that signs a log's acknowledgements. */
export const acknowledgementKeyName = (origin: string) => `${origin}/acknowledgements`;

/** The second by which the log contains the accepted call. */
export function computeDueAt(acceptedAtMs: number, hash: string | null, speed: number): number {
  const allowance = (hash === null ? committedWithinMs : boundWithinMs) * speed;
  return Math.ceil((acceptedAtMs + allowance) / 1000) * 1000;
}

/** The longest network delay from sending to acceptance, in real milliseconds. */
const transitMaxMs = 5_000;

/**
 * Returns true if a call was accepted so long after `sentAtMs` that the server must have delayed
 * it.
 */
export function isDelayed(
  { accepted_at_ms: acceptedAtMs }: Acknowledgement,
  sentAtMs: number | null,
  speed: number,
): boolean {
  return sentAtMs !== null && acceptedAtMs > sentAtMs + transitMaxMs * speed;
}

const labels = { practice: true, backing: "none" } as const;

/**
 * The text of a promise, with its members in canonical order. Written by hand because every money
 * call needs it.
 */
export function acknowledgementText(acknowledgement: Acknowledgement): string {
  return JSON.stringify({
    accepted_at_ms: acknowledgement.accepted_at_ms,
    backing: "none",
    body_hash: acknowledgement.body_hash,
    call: acknowledgement.call,
    due_at_ms: acknowledgement.due_at_ms,
    format: acknowledgementFormat,
    hash: acknowledgement.hash,
    id: acknowledgement.id,
    key: acknowledgement.key,
    log: acknowledgement.log,
    practice: true,
    tree: { root: acknowledgement.tree.root, size: acknowledgement.tree.size },
    world: acknowledgement.world,
  });
}

/** The text that is signed: the root over the texts of a batch. */
export function batchText(world: string, origin: string, count: number, root: string): string {
  return toLine({ format: batchFormat, ...labels, world, log: origin, count, root });
}

/** The text by which the log's key certifies the key of its acknowledgements. */
export function certificateText(world: string, origin: string, vkey: string): string {
  return toLine({ format: certificateFormat, ...labels, world, log: origin, vkey });
}

function toLine(value: Canonical): string {
  return `${canonicalText(value)}\n`;
}

const isString: Test = (value) => typeof value === "string";

const uuid: Test = (value) =>
  typeof value === "string" && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(value);

const members: Record<string, Test> = {
  log: isText,
  call: isText,
  key: uuid,
  body_hash: isHash,
  id: uuid,
  hash: orNull(isHash),
  accepted_at_ms: isCount,
  due_at_ms: isCount,
  tree: (value) =>
    isObject(value) && Object.keys(value).length === 2 && isCount(value.size) && isHash(value.root),
};

/** The object of a text with exactly these members besides the labels; null if it is not. */
function readText(text: string, format: string, tests: Record<string, Test>) {
  const value = parseCanonical(utf8ToBytes(text));
  if (!isObject(value) || value.format !== format) return null;
  const names = Object.keys(value);
  if (names.length !== Object.keys(tests).length + 4) return null;
  return Object.entries(tests).every(([name, test]) => test(value[name])) ? value : null;
}

function readLine(text: string, format: string, tests: Record<string, Test>) {
  const value = text.endsWith("\n") ? readText(text.slice(0, -1), format, tests) : null;
  return value && hasPracticeLabels(value) ? value : null;
}

export type AcknowledgementError =
  | "acknowledgement_malformed"
  | "not_practice"
  | "acknowledgement_key_unknown"
  | "acknowledgement_signature_wrong";

/** Reads the text of a promise, unverified. */
export function parseAcknowledgement(
  text: string,
): { ok: true; value: Acknowledgement } | { ok: false; error: AcknowledgementError } {
  const value = readText(text, acknowledgementFormat, members);
  if (!value) return { ok: false, error: "acknowledgement_malformed" };
  if (!hasPracticeLabels(value)) return { ok: false, error: "not_practice" };
  const { format: _format, practice: _practice, backing: _backing, ...rest } = value;
  return { ok: true, value: rest as unknown as Acknowledgement };
}

/** The key that a certificate names, if one of the log's trusted keys signed it; null otherwise. */
function openCertificate(
  certificate: string,
  { world, log }: Pick<Acknowledgement, "world" | "log">,
  trusted: readonly NoteKey[],
  verify: VerifyEd25519,
): NoteKey | null {
  const result = openNote(certificate, trusted, verify);
  if (!result.ok) return null;
  const value = readLine(result.text, certificateFormat, { log: isText, vkey: isText });
  if (value?.world !== world || value.log !== log) return null;
  const key = parseVkey(value.vkey as string);
  return key?.name === acknowledgementKeyName(log) ? key : null;
}

/**
 * Steps 1 and 2: form, labels, key and signature. `trusted` are keys of the log named `origin`, as
 * the verifier trusts them.
 */
export function openAcknowledgement(
  { acknowledgement, certificate }: Pick<KeptAcknowledgement, "acknowledgement" | "certificate">,
  origin: string,
  trusted: readonly NoteKey[],
  verify: VerifyEd25519,
): { ok: true; value: Acknowledgement } | { ok: false; error: AcknowledgementError } {
  const result = parseAcknowledgement(acknowledgement.promise);
  if (!result.ok) return result;
  const ofThisLog = result.value.log === origin && certificate !== null;
  const key = ofThisLog ? openCertificate(certificate, result.value, trusted, verify) : null;
  if (!key) return { ok: false, error: "acknowledgement_key_unknown" };
  return isInBatch(acknowledgement, result.value, key, verify)
    ? result
    : { ok: false, error: "acknowledgement_signature_wrong" };
}

/** Returns true if the key signed a batch of this world and log that the promise is in. */
function isInBatch(
  { promise, index, path, batch }: SignedAcknowledgement,
  { world, log }: Acknowledgement,
  key: NoteKey,
  verify: VerifyEd25519,
): boolean {
  const result = openNote(batch, [key], verify);
  const line = result.ok
    ? readLine(result.text, batchFormat, { log: isText, count: isCount, root: isHash })
    : null;
  if (line?.world !== world || line.log !== log) return false;
  const steps = path.map((hash) => parseHash(hash)).filter((hash) => hash !== null);
  const proof = { leaf: leafHash(utf8ToBytes(promise)), index, size: line.count as number };
  return verifyInclusion({ ...proof, path: steps }, parseHash(line.root)!);
}

const anything: Test = () => true;

const isKept = exactly({
  format: (value) => value === keptFormat,
  practice: anything,
  backing: anything,
  acknowledgement: exactly({
    promise: isString,
    index: isCount,
    path: (path) => Array.isArray(path) && path.length <= 64 && path.every(isHash),
    batch: isString,
  }),
  certificate: orNull(isString),
  sent: exactly({ call: isText, key: uuid, body_hash: isHash, at_ms: orNull(isCount) }),
});

/** Parses an acknowledgement that a client stored. */
export function parseKept(
  value: unknown,
):
  | { ok: true; value: KeptAcknowledgement }
  | { ok: false; error: "acknowledgement_malformed" | "not_practice" } {
  if (!isKept(value)) return { ok: false, error: "acknowledgement_malformed" };
  const keptAcknowledgement = value as KeptAcknowledgement;
  const { practice, backing } = keptAcknowledgement as { practice: unknown; backing: unknown };
  const isPractice = practice === true && backing === "none";
  return isPractice
    ? { ok: true, value: keptAcknowledgement }
    : { ok: false, error: "not_practice" };
}
