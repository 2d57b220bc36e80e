import { checkJournal } from "#core/records/journalReceipt.ts";
import type { JournalReceipt } from "#core/records/journalReceiptSchema.ts";
import { bytesToHex } from "#core/transparency-log/bytes.ts";
import { checkpointText, encodeVkey, signNote } from "#core/transparency-log/checkpoint.ts";
import { leafHash, treeRoot } from "#core/transparency-log/merkle.ts";
import {
  falsifiedJournals,
  rewardTampers,
  type Tamper,
  tampers,
  withdrawTampers,
  wrongRewards,
} from "./falsifiedJournals.ts";
import { computeCommitment, computeSalt, entries, wallets, world } from "./journalLedger.ts";
import { buildReceipt } from "./journalReceipts.ts";
import { vectorKey, vectorOrigin, vectorSigner } from "./log.ts";

export function createJournalVectors() {
  const root = treeRoot(entries.map(leafHash));
  const leaves = new Map(entries.map((entry, index) => [index, entry]));
  const receipts = [
    buildReceipt(0, "person-1"),
    buildReceipt(3, "person-1"),
    buildReceipt(4, "person-1"),
    buildReceipt(5, "person-1"),
    buildReceipt(6, "person-1"),
    buildReceipt(6, "person-2"),
    buildReceipt(7, "person-1"),
    buildReceipt(8, "person-1"),
    buildReceipt(8, "person-3"),
  ];
  for (const receipt of receipts) {
    const check = checkJournal(receipt, world, leaves);
    if (!check.ok)
      throw new Error(`a receipt of the vectors fails: ${JSON.stringify(check.steps.at(-1))}`);
  }
  return {
    about:
      "A log with two commitments, receipts of journals that agree with it, and altered ones with what must be found. In `falsified` the log is `entries` with `remove` leaves from `at` on replaced by `insert`.",
    vkey: encodeVkey(vectorKey),
    checkpoint: signNote(checkpointText({ origin: vectorOrigin, size: entries.length, root }), [
      vectorSigner,
    ]),
    entries: entries.map(bytesToHex),
    receipts,
    owners: Object.entries(wallets).map(([owner, address]) => ({
      owner,
      address,
      salt: bytesToHex(computeSalt(owner)),
      mark: computeCommitment(owner),
    })),
    altered: [
      ...alterReceipt(tampers, receipts[1]!),
      ...alterReceipt(rewardTampers, receipts[7]!),
      ...alterReceipt(withdrawTampers, receipts[3]!),
      ...Object.entries(wrongRewards).map(([name, index]) =>
        checkRefused(name, buildReceipt(index, "person-3")),
      ),
    ],
    falsified: falsifiedJournals.map(({ name, at, insert, receipt }) => {
      const log = entries.toSpliced(at, insert.length, ...insert);
      const falsified = checkRefused(name, receipt, new Map(log.entries()));
      return { ...falsified, at, remove: insert.length, insert: insert.map(bytesToHex) };
    }),
  };

  function alterReceipt(changes: Record<string, Tamper>, from: JournalReceipt) {
    return Object.entries(changes).map(([name, alter]) => {
      const receipt = structuredClone(from);
      alter(receipt);
      return checkRefused(name, receipt);
    });
  }

  function checkRefused(name: string, receipt: JournalReceipt, from = leaves) {
    const failedStep = checkJournal(receipt, world, from).steps.find(({ ok }) => !ok);
    if (!failedStep) throw new Error(`the altered receipt passes: ${name}`);
    return { name, receipt, step: failedStep.step, difference: failedStep.difference };
  }
}
