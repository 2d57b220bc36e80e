import { useEffect, useState } from "react";
import type { JournalOwner } from "#core/records/journalDemands.ts";
import type { CheckedReceipt, CheckStep } from "#web/features/receipt/check.ts";
import type { ReceiptDetail } from "#web/features/receipt/kinds/kinds.ts";
import { readPromises } from "#web/lib/acknowledgements.ts";
import { browserStorage } from "#web/lib/storage.ts";

export type ReceiptCheckState =
  | { state: "unknown_format" }
  /** In progress, with the steps done so far. */
  | { state: "checking"; steps: CheckStep[] }
  /** The log could not be read, so nothing is known about the receipt. */
  | { state: "unreadable"; failure: unknown; steps: CheckStep[] }
  | { state: "done"; result: CheckedReceipt<ReceiptDetail> };

/** Adds the comparison with what the instance promised when it accepted the call, if it did. */
async function withPromise(
  receipt: unknown,
  result: CheckedReceipt<ReceiptDetail>,
): Promise<CheckedReceipt<ReceiptDetail>> {
  if (!result.ok || readPromises().length === 0) return result;
  const { comparePromiseOf } = await import("#web/features/receipt/promise/comparePromises.ts");
  const step = await comparePromiseOf(receipt);
  return step ? { ...result, ok: step.ok, steps: [...result.steps, step] } : result;
}

/**
 * Checks `receipt` against the public log, once per mount, and if it is a journal's with what its
 * `owner` demands. The checking code is loaded only then.
 */
export function useReceiptCheck(receipt: unknown, owner: JournalOwner | null): ReceiptCheckState {
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
      const kind = kindOfReceipt(receipt, owner);
      if (!kind) {
        set({ state: "unknown_format" });
        return;
      }
      const tools = await loadCheckDeps();
      const result = await checkAgainstLog(kind, receipt, tools, (steps) => {
        done = steps;
        set({ state: "checking", steps });
      });
      set({ state: "done", result: await withPromise(receipt, result) });
      // One of a newcomer's first steps; /home checks it off.
      browserStorage.write("receipt_checked", "1");
    };
    run().catch((failure: unknown) => set({ state: "unreadable", failure, steps: done }));
    return () => {
      current = false;
    };
  }, [receipt, owner]);
  return check;
}
