import {
  type EvidenceFile,
  type EvidenceFormError,
  evidenceFormat,
  evidenceLimits,
  parseEvidence,
  writeRuns,
} from "#core/evidence/evidenceSchema.ts";
import { rootFromMultiproof } from "#core/evidence/multiproof.ts";
import { formatTlogProof, parseTlogProof } from "#core/evidence/tlogProof.ts";
import { bytesToBase64, equalBytes, utf8ToBytes } from "#core/transparency-log/bytes.ts";
import {
  type Checkpoint,
  openNote,
  parseCheckpoint,
  parseVkey,
  splitNote,
  type VerifyEd25519,
} from "#core/transparency-log/checkpoint.ts";
import { leafHash, verifyInclusion } from "#core/transparency-log/merkle.ts";

/** Writing and opening evidence files (docs/formats/evidence.md). */

/** The parts of a file. `path` and `hashes` are under the checkpoint of `note`. */
export interface EvidenceParts {
  world: string;
  receipt: EvidenceFile["receipt"];
  found: EvidenceFile["found"];
  note: string;
  leaves: ReadonlyMap<number, Uint8Array>;
  /** Inclusion path of the last of the leaves. */
  path: Uint8Array[];
  /** Hashes of `multiproofRanges` of the leaves. */
  hashes: readonly Uint8Array[];
}

export function writeEvidence(parts: EvidenceParts): EvidenceFile {
  const { world, receipt, found, note, leaves, path, hashes } = parts;
  const index = Math.max(...leaves.keys());
  return {
    format: evidenceFormat,
    practice: true,
    backing: "none",
    world,
    receipt,
    found,
    proof: formatTlogProof({ index, path, note }),
    leaves: writeRuns(leaves),
    hashes: hashes.map(bytesToBase64),
  };
}

/** The text of a file; null when it is larger than a reader has to accept. */
export function formatEvidence(file: EvidenceFile): string | null {
  const text = `${JSON.stringify(file, null, 1)}\n`;
  const leaves = file.leaves.reduce((sum, { entries }) => sum + entries.length, 0);
  const isWithinLimits =
    utf8ToBytes(text).length <= evidenceLimits.bytes &&
    leaves <= evidenceLimits.leaves &&
    file.hashes.length <= evidenceLimits.hashes;
  return isWithinLimits ? text : null;
}

export interface OpenedEvidence {
  receipt: EvidenceFile["receipt"];
  found: EvidenceFile["found"];
  /** The signed note, with the cosignatures that it carries. */
  note: string;
  checkpoint: Checkpoint;
  /** The key that signed it, as the receipt names it. */
  vkey: string;
  /** Each proven under the checkpoint. */
  leaves: Map<number, Uint8Array>;
}

export type EvidenceMismatch =
  | EvidenceFormError
  | "note_malformed"
  | "key_malformed"
  | "origin_differs"
  | "key_unknown"
  | "signature_wrong"
  | "tlog_proof_wrong"
  | "leaf_not_in_log";

/** The steps of the check of a file itself, in order. */
export type EvidenceStep = "evidence" | "note" | "proofs";

export type OpenEvidenceResult =
  | { ok: true; opened: OpenedEvidence }
  | { ok: false; step: EvidenceStep; difference: EvidenceMismatch };

/** Opens a file: its form, its signed note, and the proof of every leaf in it. */
export function openEvidence(value: unknown, verify: VerifyEd25519): OpenEvidenceResult {
  const fail = (step: EvidenceStep, difference: EvidenceMismatch): OpenEvidenceResult => ({
    ok: false,
    step,
    difference,
  });
  const result = parseEvidence(value);
  if (!result.ok) return fail("evidence", result.error);
  const { receipt, found, proof: proofText, indexes, entries, hashes } = result.evidence;
  const proof = parseTlogProof(proofText);
  if (!proof) return fail("note", "note_malformed");
  const openedNote = openSigned(proof.note, receipt.log, verify);
  if (!openedNote.ok) return fail("note", openedNote.error);
  const { checkpoint } = openedNote;
  const { size, root } = checkpoint;
  const last = indexes.at(-1)!;
  const leaf = leafHash(entries.at(-1)!);
  const { index, path } = proof;
  if (index !== last || !verifyInclusion({ leaf, index, size, path }, root))
    return fail("proofs", "tlog_proof_wrong");
  const computed = rootFromMultiproof({ indexes, entries }, size, hashes);
  if (!computed || !equalBytes(computed, root)) return fail("proofs", "leaf_not_in_log");
  const leaves = new Map(indexes.map((leafIndex, index) => [leafIndex, entries[index]!]));
  return {
    ok: true,
    opened: { receipt, found, note: proof.note, checkpoint, vkey: receipt.log.vkey, leaves },
  };
}

/** The checkpoint of a note, signed by the key that the receipt names. */
function openSigned(
  note: string,
  log: { origin: string; vkey: string },
  verify: VerifyEd25519,
): { ok: true; checkpoint: Checkpoint } | { ok: false; error: EvidenceMismatch } {
  const parts = splitNote(note);
  const checkpoint = parts && parseCheckpoint(parts.text);
  if (!checkpoint) return { ok: false, error: "note_malformed" };
  const key = parseVkey(log.vkey);
  if (!key) return { ok: false, error: "key_malformed" };
  if (key.name !== log.origin || checkpoint.origin !== log.origin)
    return { ok: false, error: "origin_differs" };
  const result = openNote(note, [key], verify);
  return result.ok ? { ok: true, checkpoint } : result;
}
