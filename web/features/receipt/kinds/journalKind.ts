import { listNeededOrderLeaves, listOrderLeavesBehind } from "#core/records/journalOrders.ts";
import { checkJournal } from "#core/records/journalReceipt.ts";
import {
  type JournalReceipt,
  journalReceiptFormat,
  listJournalLeavesBehind,
  listNeededJournalLeaves,
  parseJournalReceipt,
} from "#core/records/journalReceiptSchema.ts";
import type { ExchangeEvidence } from "#core/records/journalReceiptStep.ts";
import {
  findNewestMismatch,
  findOwnerMismatch,
  type JournalOwner,
  listLeavesAfterCommitment,
} from "#core/records/journalRequirements.ts";
import type { ReceiptKind } from "#web/features/receipt/check.ts";

/** The contents of a journal's receipt besides its steps. */
export interface JournalDetail {
  kind: "journal";
  receipt: JournalReceipt;
  /** The costs of an exchange that agrees; null otherwise. */
  exchange: ExchangeEvidence | null;
}

/** The receipt of any journal of the ledger (docs/formats/journal.md). */
export const journalKind: ReceiptKind<JournalDetail> = {
  format: journalReceiptFormat,
  getLog: (value) => parseJournalReceipt(value)?.log ?? null,
  listLeaves: (value) => {
    const receipt = parseJournalReceipt(value);
    return receipt && [...listNeededJournalLeaves(receipt), ...listNeededOrderLeaves(receipt)];
  },
  listDependentLeaves: (value, _world, leaves, size) => {
    const receipt = parseJournalReceipt(value);
    return receipt
      ? [...listJournalLeavesBehind(receipt, leaves), ...listOrderLeavesBehind(receipt, size)]
      : [];
  },
  check: (value, world, leaves, _size, verify, verifyRound) => {
    const check = checkJournal(value, world, leaves, verify, verifyRound);
    const steps = check.steps.map(({ step, ok, difference, inputs }) => ({
      step,
      ok,
      mismatch: difference,
      inputs,
    }));
    const receipt = parseJournalReceipt(value)!;
    return { ok: check.ok, steps, detail: { kind: "journal", receipt, exchange: check.exchange } };
  },
};

/**
 * Creates the same kind with the checks that only the account's owner can demand: that no later
 * commitment follows, and that the accounts belong to their wallet.
 */
export const createOwnJournalKind = (owner: JournalOwner): ReceiptKind<JournalDetail> => ({
  ...journalKind,
  listDependentLeaves: (value, world, leaves, size) => {
    const receipt = parseJournalReceipt(value);
    const ownLeaves = journalKind.listDependentLeaves!(value, world, leaves, size);
    return receipt
      ? [...ownLeaves, ...listLeavesAfterCommitment(receipt, leaves, size)]
      : ownLeaves;
  },
  check: (value, world, leaves, size, verify, verifyRound) => {
    const result = journalKind.check(value, world, leaves, size, verify, verifyRound);
    if (!result.ok) return result;
    const { receipt } = result.detail;
    const { liabilities_leaf: leaf, accounts } = receipt;
    const newest = findNewestMismatch(receipt, leaves, size);
    const steps = [...result.steps];
    steps.push({ step: "newest", ok: newest === null, mismatch: newest, inputs: { leaf, size } });
    if (newest !== null) return { ...result, ok: false, steps };
    const ownerMismatch = findOwnerMismatch(receipt, owner);
    const inputs = { accounts: accounts.length };
    steps.push({ step: "owner", ok: ownerMismatch === null, mismatch: ownerMismatch, inputs });
    return { ...result, ok: ownerMismatch === null, steps };
  },
});
