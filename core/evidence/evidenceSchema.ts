import { base64ToBytes, bytesToBase64 } from "#core/transparency-log/bytes.ts";
import { hasPracticeLabels } from "#core/transparency-log/canonical.ts";
import { isCount, isObject, isText } from "#core/transparency-log/schema.ts";

/** An evidence file (docs/formats/evidence.md): a receipt with all of the log that it rests on. */
export const evidenceFormat = "drydock.evidence/1";

/** Limits of a file: enough for any receipt, while bounding the work of a check. */
export const evidenceLimits = {
  bytes: 16_777_216,
  leaves: 65_536,
  hashes: 262_144,
  proofCharacters: 65_536,
  entryBytes: 65_535,
} as const;

export interface EvidenceFile {
  format: typeof evidenceFormat;
  practice: true;
  backing: "none";
  world: string;
  receipt: { log: { origin: string; vkey: string }; [member: string]: unknown };
  /** The result of the check by the person who saved it; null when everything agreed. */
  found: { step: string; difference: string } | null;
  /** C2SP tlog-proof of the last of the leaves; its checkpoint covers all leaves. */
  proof: string;
  /** Runs of consecutive leaves, ascending; entries in base64. */
  leaves: { from: number; entries: string[] }[];
  /** The hashes that prove all leaves together, in base64. */
  hashes: string[];
}

/** A decoded evidence file. */
interface Evidence {
  world: string;
  receipt: EvidenceFile["receipt"];
  found: EvidenceFile["found"];
  proof: string;
  indexes: number[];
  entries: Uint8Array[];
  hashes: Uint8Array[];
}

export type EvidenceFormError =
  | "evidence_malformed"
  | "evidence_version_unknown"
  | "evidence_too_large"
  | "not_practice"
  | "world_differs";

export type EvidenceResult =
  | { ok: true; evidence: Evidence }
  | { ok: false; error: EvidenceFormError };

const members = "backing,format,found,hashes,leaves,practice,proof,receipt,world";

/** Returns true if a value claims to be evidence of any version. */
export function isEvidenceFile(value: unknown): boolean {
  return (
    isObject(value) &&
    typeof value.format === "string" &&
    value.format.startsWith("drydock.evidence/")
  );
}

/** Parses a file without proving anything in it. */
export function parseEvidence(value: unknown): EvidenceResult {
  if (!isObject(value) || !isEvidenceFile(value)) return refuse("evidence_malformed");
  if (value.format !== evidenceFormat) return refuse("evidence_version_unknown");
  if (Object.keys(value).sort().join() !== members) return refuse("evidence_malformed");
  if (!hasPracticeLabels(value)) return refuse("not_practice");
  const { receipt, found, proof, leaves, hashes, world } = value;
  if (!isText(world) || !isReceipt(receipt) || !isFound(found) || typeof proof !== "string")
    return refuse("evidence_malformed");
  if (!isRuns(leaves) || !isTexts(hashes)) return refuse("evidence_malformed");
  const count = leaves.reduce((sum, { entries }) => sum + entries.length, 0);
  if (
    count > evidenceLimits.leaves ||
    hashes.length > evidenceLimits.hashes ||
    proof.length > evidenceLimits.proofCharacters
  )
    return refuse("evidence_too_large");
  if (receipt.world !== world) return refuse("world_differs");
  const entries = leaves.flatMap((run) => run.entries).map(base64ToBytes);
  const nodes = hashes.map(base64ToBytes);
  const isWellFormed =
    entries.every((entry) => entry !== null && entry.length <= evidenceLimits.entryBytes) &&
    nodes.every((node) => node?.length === 32);
  if (!isWellFormed) return refuse("evidence_malformed");
  return {
    ok: true,
    evidence: {
      world,
      receipt,
      found,
      proof,
      indexes: leaves.flatMap(({ from, entries: run }) => run.map((_, index) => from + index)),
      entries: entries as Uint8Array[],
      hashes: nodes as Uint8Array[],
    },
  };
}

const refuse = (error: EvidenceFormError): EvidenceResult => ({ ok: false, error });

function isReceipt(value: unknown): value is EvidenceFile["receipt"] {
  return (
    isObject(value) && isObject(value.log) && isText(value.log.origin) && isText(value.log.vkey)
  );
}

function isFound(value: unknown): value is EvidenceFile["found"] {
  if (value === null) return true;
  return (
    isObject(value) &&
    Object.keys(value).sort().join() === "difference,step" &&
    isText(value.step) &&
    isText(value.difference)
  );
}

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((item) => typeof item === "string");

/**
 * Checks that runs ascend with at least one leaf left out between two, so that each set has one
 * form.
 */
function isRuns(value: unknown): value is EvidenceFile["leaves"] {
  if (!Array.isArray(value) || value.length === 0) return false;
  let next = 0;
  return value.every((run: unknown, index) => {
    if (!isObject(run) || Object.keys(run).sort().join() !== "entries,from") return false;
    const { from, entries } = run;
    if (!isCount(from) || !isTexts(entries) || entries.length === 0) return false;
    if (index > 0 && from <= next) return false;
    next = from + entries.length;
    return Number.isSafeInteger(next);
  });
}

/** Writes leaves as runs. */
export function writeRuns(leaves: ReadonlyMap<number, Uint8Array>): EvidenceFile["leaves"] {
  const runs: EvidenceFile["leaves"] = [];
  for (const index of [...leaves.keys()].sort((a, b) => a - b)) {
    const last = runs.at(-1);
    const entry = bytesToBase64(leaves.get(index)!);
    if (last && last.from + last.entries.length === index) last.entries.push(entry);
    else runs.push({ from: index, entries: [entry] });
  }
  return runs;
}
