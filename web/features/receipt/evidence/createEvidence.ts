import { type EvidenceMismatch, formatEvidence, writeEvidence } from "#core/evidence/evidence.ts";
import type { EvidenceFile } from "#core/evidence/evidenceSchema.ts";
import { multiproofRanges } from "#core/evidence/multiproof.ts";
import { inclusionRanges } from "#core/transparency-log/merkle.ts";
import { type LeafSource, type ProvenReceipt, readLeaves } from "#web/features/receipt/check.ts";
import { checkEvidence } from "#web/features/receipt/evidence/checkEvidence.ts";
import { type LogView, NotInLogError, openView } from "#web/features/receipt/logView.ts";

export type EvidenceFileResult =
  | { ok: true; text: string }
  | { ok: false; error: EvidenceMismatch | "leaf_beyond_log" };

/**
 * Makes the evidence file of a checked receipt: under the newest checkpoint that witnesses
 * cosigned, if it holds all that the receipt needs, otherwise under the one that was checked.
 * A file is given out only if its own check, without the log, finds the same.
 */
export async function createEvidence(
  proven: ProvenReceipt,
  finding: EvidenceFile["found"],
): Promise<EvidenceFileResult> {
  let lastResult: EvidenceFileResult = { ok: false, error: "leaf_beyond_log" };
  for (const view of [await cosignedView(proven), proven.view]) {
    if (!view) continue;
    lastResult = await makeUnder(view, proven, finding);
    if (lastResult.ok) break;
  }
  return lastResult;
}

/** The log at its newest cosigned checkpoint, consistent with the one that was checked. */
async function cosignedView({
  kind,
  receipt,
  view,
  reader,
  verify,
}: ProvenReceipt): Promise<LogView | null> {
  const log = kind.getLog(receipt);
  const note = await reader.cosigned().catch(() => null);
  if (note === null || !log) return null;
  const result = openView(reader, note, log.origin, [log.vkey], verify);
  return result.ok && (await view.continues(result.view.checkpoint)) ? result.view : null;
}

async function makeUnder(
  view: LogView,
  { kind, receipt, verify }: ProvenReceipt,
  finding: EvidenceFile["found"],
): Promise<EvidenceFileResult> {
  const { size } = view.checkpoint;
  const source: LeafSource = { size, entries: (indexes) => view.entries(indexes) };
  const leaves = await readLeaves(source, kind, receipt).catch((error: unknown) => {
    if (error instanceof NotInLogError) return null;
    throw error;
  });
  if (!leaves) return { ok: false, error: "leaf_beyond_log" };
  const indexes = [...leaves.keys()].sort((a, b) => a - b);
  const statedReceipt = receipt as EvidenceFile["receipt"] & { world: string };
  const file = writeEvidence({
    world: statedReceipt.world,
    receipt: statedReceipt,
    found: finding,
    note: view.note,
    leaves,
    path: await view.hashes(inclusionRanges(indexes.at(-1)!, size)),
    hashes: await view.hashes(multiproofRanges(indexes, size)),
  });
  const text = formatEvidence(file);
  if (text === null) return { ok: false, error: "evidence_too_large" };
  const deps = { kindOf: () => kind, store: { read: () => null }, witnessKeys: [], verify };
  const { ok, steps } = await checkEvidence(JSON.parse(text), deps);
  const differs = steps.find((step) => !step.ok);
  const isSame = finding === null ? ok : differs?.mismatch === finding.difference;
  return isSame
    ? { ok: true, text }
    : { ok: false, error: (differs?.mismatch ?? "finding_differs") as EvidenceMismatch };
}
