import { type EvidenceStep, type OpenedEvidence, openEvidence } from "#core/evidence/evidence.ts";
import { bytesToHex } from "#core/transparency-log/bytes.ts";
import type { VerifyEd25519 } from "#core/transparency-log/checkpoint.ts";
import { findCosignatures } from "#core/transparency-log/witnesses/cosignature.ts";
import {
  type CheckedReceipt,
  type CheckStep,
  compareWithEarlier,
  createStep,
  type EarlierReceipts,
  type EvidenceReport,
  parseReceipt,
  type ReceiptKind,
  readLeaves,
  recompute,
  runCheck,
} from "#web/features/receipt/check.ts";
import type { CheckpointStore, StoredCheckpoint } from "#web/features/receipt/checkpointStore.ts";
import { listSigners, NotInLogError } from "#web/features/receipt/logView.ts";

/** This browser's knowledge and tools for a check; none of it comes from a server. */
export interface EvidenceDeps<Detail> {
  kindOf: (receipt: unknown) => ReceiptKind<Detail> | null;
  store: Pick<CheckpointStore, "read">;
  witnessKeys: readonly string[];
  verify: VerifyEd25519;
  /** Earlier receipts; compared only with a file whose key this browser knows. */
  earlier?: EarlierReceipts;
}

const fileSteps: readonly EvidenceStep[] = ["evidence", "note", "proofs"];

/**
 * Checks an evidence file (docs/formats/evidence.md) and the receipt in it from the file alone,
 * with the same checks as a receipt that is read from its log.
 */
export async function checkEvidence<Detail>(
  value: unknown,
  deps: EvidenceDeps<Detail>,
  onProgress: (steps: CheckStep[]) => void = () => {},
): Promise<CheckedReceipt<Detail>> {
  return await runCheck<Detail>(onProgress, async (result, add) => {
    const opening = openEvidence(value, deps.verify);
    for (const name of fileSteps) {
      const failed = !opening.ok && opening.step === name ? opening.difference : null;
      add(createStep(name, failed, opening.ok ? getInputs(name, opening.opened) : {}));
    }
    if (!opening.ok) return;
    const { opened } = opening;
    const storedState = deps.store.read();
    const storedCheckpoint = storedState?.origin === opened.checkpoint.origin ? storedState : null;
    compareStored(opened, storedCheckpoint, add);
    result.evidence = evidenceStanding(opened, storedCheckpoint, deps);
    const { receipt, leaves: allLeaves, checkpoint } = opened;
    const kind = deps.kindOf(receipt);
    if (!kind) {
      add(createStep("form", "format_unknown"));
      return;
    }
    parseReceipt(kind, receipt, add);
    const { size } = checkpoint;
    const entries = async (indexes: Iterable<number>) => pickLeaves(allLeaves, indexes);
    const leaves = await readLeaves({ size, entries }, kind, receipt).catch((error: unknown) => {
      if (!(error instanceof NotInLogError)) throw error;
      add(createStep("leaves", "leaf_missing", { leaf: error.leaf }));
      return new Map<number, Uint8Array>();
    });
    await recompute(kind, receipt, { leaves, size, verify: deps.verify }, result, add);
    if (opened.found !== null) {
      result.ok = false;
      add(createStep("found", "finding_differs", { ...opened.found }));
    }
    if (deps.earlier && result.evidence.key === "known")
      compareWithEarlier(deps.earlier, checkpoint.origin, { receipt, leaves }, result, add);
  });
}

function pickLeaves(allLeaves: ReadonlyMap<number, Uint8Array>, indexes: Iterable<number>) {
  const leavesByIndex = new Map<number, Uint8Array>();
  for (const index of indexes) {
    const entry = allLeaves.get(index);
    if (!entry) throw new NotInLogError(index);
    leavesByIndex.set(index, entry);
  }
  return leavesByIndex;
}

/** Two trees of one size must be the same; others cannot be compared without the log. */
function compareStored(
  { checkpoint: { size, root } }: OpenedEvidence,
  storedCheckpoint: StoredCheckpoint | null,
  add: (...more: CheckStep[]) => void,
): void {
  if (storedCheckpoint?.size !== size) return;
  const problem = storedCheckpoint.root === bytesToHex(root) ? null : "log_changed";
  add(createStep("memory", problem, { stored: storedCheckpoint.size, size }));
}

function evidenceStanding(
  { receipt, vkey, checkpoint, note, found }: OpenedEvidence,
  storedCheckpoint: StoredCheckpoint | null,
  { witnessKeys, verify }: EvidenceDeps<unknown>,
): EvidenceReport {
  const { origin, size } = checkpoint;
  const storedState = listSigners(note, origin, storedCheckpoint?.vkeys ?? [], verify).length > 0;
  const cosignatures = findCosignatures(note, witnessKeys, verify);
  const atMs =
    cosignatures.length === 0
      ? null
      : Math.max(...cosignatures.map((cosignature) => cosignature.atMs));
  return {
    receipt,
    origin,
    vkey,
    size,
    key: storedState ? "known" : storedCheckpoint ? "other" : "unknown",
    witnesses: { configured: witnessKeys.length, count: cosignatures.length, atMs },
    mismatch: found,
  };
}

function getInputs(name: EvidenceStep, openedEvidence: OpenedEvidence): CheckStep["inputs"] {
  const { checkpoint, vkey, leaves } = openedEvidence;
  if (name === "note") return { origin: checkpoint.origin, size: checkpoint.size, vkey };
  if (name === "proofs") return { leaves: leaves.size, root: bytesToHex(checkpoint.root) };
  return {};
}
