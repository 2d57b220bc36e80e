import { MismatchError } from "../log/bytes.ts";
import { parseBase64 } from "./tlogProof.ts";

/** The form of an evidence file (docs/formats/evidence.md, "Members" and "Limits"). */
export interface Evidence {
  receipt: { world?: unknown; log: { origin: string; vkey: string } };
  found: { step: string; difference: string } | null;
  proof: string;
  /** In ascending order of their index. */
  leaves: { index: number; entry: Buffer }[];
  hashes: Buffer[];
}

/** The maximum size of a file with a receipt or evidence. */
export const bytesMax = 16_777_216;
const leavesMax = 65_536;
const hashesMax = 262_144;
const proofMax = 65_536;
const entryMax = 65_535;

const mismatch = (name: string, detail = "") => new MismatchError("evidence", name, detail);

type Fields = Record<string, unknown>;

function parseFields(value: unknown, names: readonly string[], what: string): Fields {
  const isWellFormed =
    typeof value === "object" &&
    value !== null &&
    !Array.isArray(value) &&
    Object.keys(value).sort().join() === [...names].sort().join();
  if (!isWellFormed) throw mismatch("evidence_malformed", what);
  return value as Fields;
}

function isName(value: unknown): value is string {
  return typeof value === "string" && value !== "" && value.length <= 200;
}

/** Returns true if a file claims to be evidence, of this version or another. */
export function isEvidence(value: unknown): boolean {
  const format = (value as { format?: unknown } | null)?.format;
  return typeof format === "string" && format.startsWith("drydock.evidence/");
}

export function parseEvidence(value: unknown): Evidence {
  const format = (value as { format?: unknown } | null)?.format;
  if (!isEvidence(value)) throw mismatch("evidence_malformed", "format");
  if (format !== "drydock.evidence/1") throw mismatch("evidence_version_unknown", String(format));
  const names = ["format", "practice", "backing", "world", "receipt", "found", "proof", "leaves"];
  const file = parseFields(value, [...names, "hashes"], "members");
  if (file.practice !== true || file.backing !== "none") throw mismatch("not_practice");
  if (typeof file.world !== "string" || file.world === "") throw mismatch("not_practice", "world");
  if (!isName(file.world)) throw mismatch("evidence_malformed", "world");
  const receipt = file.receipt as Evidence["receipt"] | null;
  if (typeof receipt !== "object" || !isName(receipt?.log?.origin) || !isName(receipt.log.vkey))
    throw mismatch("evidence_malformed", "receipt");
  const finding = readFound(file.found);
  if (typeof file.proof !== "string") throw mismatch("evidence_malformed", "proof");
  const runs = readRuns(file.leaves);
  if (!Array.isArray(file.hashes)) throw mismatch("evidence_malformed", "hashes");
  const count = runs.reduce((sum, { entries }) => sum + entries.length, 0);
  if (count > leavesMax || file.hashes.length > hashesMax || file.proof.length > proofMax)
    throw mismatch("evidence_too_large");
  if (receipt.world !== file.world) throw mismatch("world_differs", file.world);
  return {
    receipt,
    found: finding,
    proof: file.proof,
    leaves: runs.flatMap(({ from, entries }) =>
      entries.map((entry, index) => ({
        index: from + index,
        entry: parseBytes(entry, 0, entryMax),
      })),
    ),
    hashes: file.hashes.map((hash) => parseBytes(hash, 32, 32)),
  };
}

function readFound(value: unknown): Evidence["found"] {
  if (value === null) return null;
  const { step, difference } = parseFields(value, ["step", "difference"], "found");
  if (!isName(step) || !isName(difference)) throw mismatch("evidence_malformed", "found");
  return { step, difference };
}

/** Reads runs, which must ascend with a gap between any two. */
function readRuns(value: unknown): { from: number; entries: unknown[] }[] {
  if (!Array.isArray(value) || value.length === 0) throw mismatch("evidence_malformed", "leaves");
  let free = 0;
  return value.map((value) => {
    const { from, entries } = parseFields(value, ["from", "entries"], "a run of leaves");
    const isWellFormed =
      Number.isSafeInteger(from) &&
      (from as number) >= free &&
      Array.isArray(entries) &&
      entries.length > 0 &&
      Number.isSafeInteger((from as number) + entries.length);
    if (!isWellFormed) throw mismatch("evidence_malformed", "a run of leaves");
    free = (from as number) + (entries as unknown[]).length + 1;
    return { from: from as number, entries: entries as unknown[] };
  });
}

function parseBytes(text: unknown, min: number, most: number): Buffer {
  const bytes = typeof text === "string" ? parseBase64(text) : null;
  if (!bytes || bytes.length < min || bytes.length > most)
    throw mismatch("evidence_malformed", "base64");
  return bytes;
}
