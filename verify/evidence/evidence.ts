import { equalBytes, MismatchError } from "../log/bytes.ts";
import { leafHash, nodeHash, provesInclusion } from "../log/merkle.ts";
import { type Checkpoint, isSignedBy, parseCheckpoint, parseVerifierKey } from "../log/note.ts";
import { type Evidence, parseEvidence } from "./evidenceSchema.ts";
import { parseTlogProof } from "./tlogProof.ts";

/** All that the check of a receipt needs from the log, without the instance. */
export interface OpenedEvidence {
  receipt: unknown;
  found: Evidence["found"];
  checkpoint: Checkpoint;
  /** The signed note exactly as in the file. */
  note: string;
  /** The key of the log as the receipt states it. */
  vkey: string;
  /** Reads a leaf of the file, all of which are proven; throws for any other. */
  leaf: (index: number) => Promise<Uint8Array>;
}

/** Opens an evidence file (docs/formats/evidence.md, "Checking", steps 1 to 3). */
export function openEvidence(value: unknown): OpenedEvidence {
  const { receipt, found, proof: text, leaves, hashes } = parseEvidence(value);
  const proof = parseTlogProof(text);
  const checkpoint = readNote(proof.note);
  checkSigned(checkpoint, receipt.log);
  const { size, root } = checkpoint;
  const last = leaves[leaves.length - 1] as Evidence["leaves"][number];
  const isProven =
    proof.index === last.index &&
    provesInclusion(proof.index, size, leafHash(last.entry), proof.path, root);
  if (!isProven) throw new MismatchError("proofs", "tlog_proof_wrong", `leaf ${last.index}`);
  if (!hasInclusionPath(root, size, leaves, hashes))
    throw new MismatchError("proofs", "leaf_not_in_log");
  const entries = new Map(leaves.map(({ index, entry }) => [index, entry]));
  const leaf = async (index: number) => {
    const entry = entries.get(index);
    if (!entry) throw new MismatchError("leaves", "leaf_missing", `leaf ${index}`);
    return entry;
  };
  return { receipt, found, checkpoint, note: proof.note, vkey: receipt.log.vkey, leaf };
}

const signaturesMax = 64;

function readNote(note: string): Checkpoint {
  const malformed = (detail: string) => new MismatchError("note", "note_malformed", detail);
  try {
    const checkpoint = parseCheckpoint(note);
    if (checkpoint.signatures.length <= signaturesMax) return checkpoint;
  } catch (error) {
    throw malformed((error as Error).message);
  }
  throw malformed("too many signature lines");
}

function checkSigned(checkpoint: Checkpoint, log: Evidence["receipt"]["log"]): void {
  const key = (() => {
    try {
      return parseVerifierKey(log.vkey);
    } catch (error) {
      throw new MismatchError("note", "key_malformed", (error as Error).message);
    }
  })();
  if (key.name !== log.origin || checkpoint.origin !== log.origin)
    throw new MismatchError("note", "origin_differs", `${log.origin}, ${checkpoint.origin}`);
  const ofKey = checkpoint.signatures.filter(
    ({ name, keyId }) => name === key.name && equalBytes(keyId, key.keyId),
  );
  if (ofKey.length === 0) throw new MismatchError("note", "key_unknown", log.vkey);
  for (const signature of ofKey)
    if (!isSignedBy({ ...checkpoint, signatures: [signature] }, key))
      throw new MismatchError("note", "signature_wrong", log.vkey);
}

/**
 * Returns true if the leaves and the hashes lead to the root. The tree is traversed from left to
 * right; each subtree without any of the leaves takes the next hash, and all hashes must be used.
 */
function hasInclusionPath(
  root: Uint8Array,
  size: number,
  leaves: Evidence["leaves"],
  hashes: readonly Uint8Array[],
): boolean {
  let leaf = 0;
  let hash = 0;
  const computeRoot = (from: number, to: number): Uint8Array | null => {
    const next = leaves[leaf];
    if (!next || next.index >= to) return hashes[hash++] ?? null;
    if (to - from === 1) {
      leaf += 1;
      return leafHash(next.entry);
    }
    let half = 1;
    while (half * 2 < to - from) half *= 2;
    const leftHash = computeRoot(from, from + half);
    const rightHash = leftHash && computeRoot(from + half, to);
    return leftHash && rightHash && nodeHash(leftHash, rightHash);
  };
  const computedRoot = size > 0 ? computeRoot(0, size) : null;
  return (
    computedRoot !== null &&
    leaf === leaves.length &&
    hash === hashes.length &&
    equalBytes(computedRoot, root)
  );
}
