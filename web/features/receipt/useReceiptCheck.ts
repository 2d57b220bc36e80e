import { useEffect, useState } from "react";
import type { CheckedReceipt, CheckStep } from "#web/features/receipt/check.ts";
import type { ReceiptDetail } from "#web/features/receipt/kinds/kinds.ts";
import { browserStorage } from "#web/lib/storage.ts";

export type ReceiptCheckState =
  | { state: "unknown_format" }
  /** In progress, with the steps done so far. */
  | { state: "checking"; steps: CheckStep[] }
  /** The log could not be read, so nothing is known about the receipt. */
  | { state: "unreadable"; failure: unknown; steps: CheckStep[] }
  | { state: "done"; result: CheckedReceipt<ReceiptDetail> };

/** What checks an evidence file, without asking any server; null for anything else. */
async function loadEvidence(value: unknown) {
  const { claimsEvidence } = await import("#core/evidence/evidenceForm.ts");
  if (!claimsEvidence(value)) return null;
  const [{ checkEvidence }, { browserCheckpointStore: store }, { readWitnessKeys }, verify] =
    await Promise.all([
      import("#web/features/receipt/evidence/checkEvidence.ts"),
      import("#web/features/receipt/memory.ts"),
      import("#web/features/receipt/witnesses.ts"),
      import("#web/features/receipt/logView.ts").then(({ loadVerify }) => loadVerify()),
    ]);
  return { checkEvidence, known: { store, witnessKeys: readWitnessKeys(), verify } };
}

/**
 * Checks `receipt` against the public log, or an evidence file from what is in it, once per mount.
 * The checking code is loaded only then.
 */
export function useReceiptCheck(receipt: unknown): ReceiptCheckState {
  const [check, setCheck] = useState<ReceiptCheckState>({ state: "checking", steps: [] });
  useEffect(() => {
    let current = true;
    const set = (next: ReceiptCheckState) => {
      if (current) setCheck(next);
    };
    let done: CheckStep[] = [];
    const run = async () => {
      set({ state: "checking", steps: [] });
      const [{ kindOfReceipt }, { checkAgainstLog }, { loadCheckDeps }] = await Promise.all([
        import("#web/features/receipt/kinds/kinds.ts"),
        import("#web/features/receipt/check.ts"),
        import("#web/features/receipt/tools.ts"),
      ]);
      const progress = (steps: CheckStep[]) => {
        done = steps;
        set({ state: "checking", steps });
      };
      const file = await loadEvidence(receipt);
      const kind = kindOfReceipt(receipt);
      if (!file && !kind) {
        set({ state: "unknown_format" });
        return;
      }
      const result = file
        ? await file.checkEvidence(receipt, { kindOf: kindOfReceipt, ...file.known }, progress)
        : await checkAgainstLog(kind!, receipt, await loadCheckDeps(), progress);
      set({ state: "done", result });
      // One of a newcomer's first steps; /home checks it off.
      browserStorage.write("receipt_checked", "1");
    };
    run().catch((failure: unknown) => set({ state: "unreadable", failure, steps: done }));
    return () => {
      current = false;
    };
  }, [receipt]);
  return check;
}
