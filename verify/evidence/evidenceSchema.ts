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

/** No file of a receipt or of evidence is larger. */
export const bytesMax = 16_777_216;
const leavesMax = 65_536;
const hashesMax = 262_144;
const proofMax = 65_536;
const entryMax = 65_535;

const differs = (name: string, detail = "") => new MismatchError("evidence", name, detail);

type Fields = Record<string, unknown>;

function parseFields(value: unknown, names: readonly string[], what: string): Fields {
  const fine =
    typeof value === "object" &&
    value !== null &&
    !Array.isArray(value) &&
    Object.keys(value).sort().join() === [...names].sort().join();
  if (!fine) throw differs("evidence_malformed", what);
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
  if (!isEvidence(value)) throw differs("evidence_malformed", "format");
  if (format !== "drydock.evidence/1") throw differs("evidence_version_unknown", String(format));
  const names = ["format", "practice", "backing", "world", "receipt", "found", "proof", "leaves"];
  const file = parseFields(value, [...names, "hashes"], "members");
  if (file.practice !== true || file.backing !== "none") throw differs("not_practice");
  if (typeof file.world !== "string" || file.world === "") throw differs("not_practice", "world");
  if (!isName(file.world)) throw differs("evidence_malformed", "world");
  const receipt = file.receipt as Evidence["receipt"] | null;
  if (typeof receipt !== "object" || !isName(receipt?.log?.origin) || !isName(receipt.log.vkey))
    throw differs("evidence_malformed", "receipt");
  const finding = readFound(file.found);
  if (typeof file.proof !== "string") throw differs("evidence_malformed", "proof");
  const runs = readRuns(file.leaves);
  if (!Array.isArray(file.hashes)) throw differs("evidence_malformed", "hashes");
  const count = runs.reduce((sum, { entries }) => sum + entries.length, 0);
  if (count > leavesMax || file.hashes.length > hashesMax || file.proof.length > proofMax)
    throw differs("evidence_too_large");
  if (receipt.world !== file.world) throw differs("world_differs", file.world);
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
  if (!isName(step) || !isName(difference)) throw differs("evidence_malformed", "found");
  return { step, difference };
}

/** Runs ascend and do not touch each other. */
function readRuns(value: unknown): { from: number; entries: unknown[] }[] {
  if (!Array.isArray(value) || value.length === 0) throw differs("evidence_malformed", "leaves");
  let free = 0;
  return value.map((value) => {
    const { from, entries } = parseFields(value, ["from", "entries"], "a run of leaves");
    const fine =
      Number.isSafeInteger(from) &&
      (from as number) >= free &&
      Array.isArray(entries) &&
      entries.length > 0 &&
      Number.isSafeInteger((from as number) + entries.length);
    if (!fine) throw differs("evidence_malformed", "a run of leaves");
    free = (from as number) + (entries as unknown[]).length + 1;
    return { from: from as number, entries: entries as unknown[] };
  });
}

function parseBytes(text: unknown, least: number, most: number): Buffer {
  const bytes = typeof text === "string" ? parseBase64(text) : null;
  if (!bytes || bytes.length < least || bytes.length > most)
    throw differs("evidence_malformed", "base64");
  return bytes;
}
