import { orderLeavesBehind, orderLeavesNeeded } from "#core/records/journalOrders.ts";
import { checkJournal } from "#core/records/journalReceipt.ts";
import {
  type JournalReceipt,
  journalLeavesBehind,
  journalLeavesNeeded,
  journalReceiptFormat,
  readJournalReceipt,
} from "#core/records/journalReceiptForm.ts";
import type { ReceiptKind } from "#web/features/receipt/check.ts";

/** What a journal's receipt shows besides its steps. */
export interface JournalDetail {
  of: "journal";
  receipt: JournalReceipt;
}

/** The receipt of any journal of the ledger (docs/formats/journal.md). */
export const journalKind: ReceiptKind<JournalDetail> = {
  format: journalReceiptFormat,
  logOf: (value) => readJournalReceipt(value)?.log ?? null,
  leavesOf: (value) => {
    const receipt = readJournalReceipt(value);
    return receipt && [...journalLeavesNeeded(receipt), ...orderLeavesNeeded(receipt)];
  },
  leavesBehind: (value, _world, leaves, size) => {
    const receipt = readJournalReceipt(value);
    return receipt
      ? [...journalLeavesBehind(receipt, leaves), ...orderLeavesBehind(receipt, size)]
      : [];
  },
  check: (value, world, leaves) => {
    const check = checkJournal(value, world, leaves);
    const steps = check.steps.map(({ step, ok, difference, inputs }) => ({
      step,
      ok,
      problem: difference,
      inputs,
    }));
    return { ok: check.ok, steps, detail: { of: "journal", receipt: readJournalReceipt(value)! } };
  },
};
