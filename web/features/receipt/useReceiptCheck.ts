import { useEffect, useState } from "react";
import type { JournalOwner } from "#core/records/journalRequirements.ts";
import { reportTask } from "#web/features/classes/reportTask.ts";
import type {
  CheckedReceipt,
  CheckStep,
  ProvenReceipt,
  ReceiptKind,
} from "#web/features/receipt/check.ts";
import type { ReceiptDetail } from "#web/features/receipt/kinds/kinds.ts";
import { readAcknowledgements } from "#web/lib/acknowledgements.ts";
import { browserStorage } from "#web/lib/storage.ts";

export type ReceiptCheckState =
  | { state: "unknown_format" }
  /** The check is in progress; `steps` are those done so far. */
  | { state: "checking"; steps: CheckStep[] }
  /** The log could not be read, so nothing is known about the receipt. */
  | { state: "unreadable"; failure: unknown; steps: CheckStep[] }
  | { state: "done"; result: CheckedReceipt<ReceiptDetail> };

/** Adds the comparison with what the instance promised when it accepted the call, if it did. */
async function withAcknowledgement(
  receipt: unknown,
  result: CheckedReceipt<ReceiptDetail>,
): Promise<CheckedReceipt<ReceiptDetail>> {
  if (!result.ok || readAcknowledgements().length === 0) return result;
  const { compareAcknowledgement } = await import(
    "#web/features/receipt/acknowledgement/compareAcknowledgements.ts"
  );
  const step = await compareAcknowledgement(receipt);
  return step ? { ...result, ok: step.ok, steps: [...result.steps, step] } : result;
}

/** Steps of a check that rest on data that only this person has and no file contains. */
const ownSteps: ReadonlySet<string> = new Set(["newest", "owner", "promise"]);

/**
 * Returns the result that can be saved as evidence: what anyone can check; null if something else
 * differs.
 */
function reproducible(
  { proven, steps }: CheckedReceipt<ReceiptDetail>,
  kind: ReceiptKind<ReceiptDetail> | null,
): ProvenReceipt | null {
  const differs = steps.find(({ ok }) => !ok)?.step;
  return proven && kind && !(differs && ownSteps.has(differs)) ? { ...proven, kind } : null;
}

/** Loads the check of an evidence file, without asking any server; null for anything else. */
async function loadEvidence(value: unknown) {
  const { isEvidenceFile } = await import("#core/evidence/evidenceSchema.ts");
  if (!isEvidenceFile(value)) return null;
  const [{ checkEvidence }, { browserCheckpointStore: store }, { readWitnessKeys }, verify] =
    await Promise.all([
      import("#web/features/receipt/evidence/checkEvidence.ts"),
      import("./checkpointStore.ts"),
      import("#web/features/receipt/witnesses.ts"),
      import("#web/features/receipt/logView.ts").then(({ loadVerifier }) => loadVerifier()),
    ]);
  return { checkEvidence, known: { store, witnessKeys: readWitnessKeys(), verify } };
}

/**
 * Checks `receipt` against the public log, or an evidence file from what is in it, once per mount;
 * a journal of an `owner` also for what only they can demand. The checking code is loaded only then.
 */
export function useReceiptCheck(receipt: unknown, owner: JournalOwner | null): ReceiptCheckState {
  const [check, setCheck] = useState<ReceiptCheckState>({ state: "checking", steps: [] });
  useEffect(() => {
    let current = true;
    const set = (nextState: ReceiptCheckState) => {
      if (current) setCheck(nextState);
    };
    let checkSteps: CheckStep[] = [];
    const run = async () => {
      set({ state: "checking", steps: [] });
      const [
        { findReceiptKind },
        { checkAgainstLog },
        { loadCheckDeps },
        { earlierReceipts: earlierReceiptsModule },
      ] = await Promise.all([
        import("#web/features/receipt/kinds/kinds.ts"),
        import("#web/features/receipt/check.ts"),
        import("#web/features/receipt/loadCheckDeps.ts"),
        import("#web/features/receipt/earlierReceipts.ts"),
      ]);
      const progress = (steps: CheckStep[]) => {
        checkSteps = steps;
        set({ state: "checking", steps });
      };
      const file = await loadEvidence(receipt);
      const kind = findReceiptKind(receipt, owner);
      if (!file && !kind) {
        set({ state: "unknown_format" });
        return;
      }
      const checked = file
        ? await file.checkEvidence(
            receipt,
            {
              kindOf: (value) => findReceiptKind(value),
              ...file.known,
              earlier: earlierReceiptsModule,
            },
            progress,
          )
        : await checkAgainstLog(
            kind!,
            receipt,
            { ...(await loadCheckDeps()), earlier: earlierReceiptsModule },
            progress,
          );
      const result = file ? checked : await withAcknowledgement(receipt, checked);
      result.proven = reproducible(result, findReceiptKind(receipt));
      set({ state: "done", result });
      // A step of the first ten minutes; /home checks it off.
      browserStorage.write("receipt_checked", "1");
      reportTask("receipt");
    };
    run().catch((error: unknown) =>
      set({ state: "unreadable", failure: error, steps: checkSteps }),
    );
    return () => {
      current = false;
    };
  }, [receipt, owner]);
  return check;
}
