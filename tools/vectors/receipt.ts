import { checkReceipt } from "#core/contracts/receipt.ts";
import type { ContractReceipt } from "#core/contracts/receiptSchema.ts";
import { bytesToHex } from "#core/transparency-log/bytes.ts";
import { checkpointText, encodeVkey, signNote } from "#core/transparency-log/checkpoint.ts";
import { leafHash, treeRoot } from "#core/transparency-log/merkle.ts";
import { createForgedSources, createVoidBySamples } from "./contractDays.ts";
import { createReceipt, entries, heldUpOrder, orders, world } from "./contractLog.ts";
import { createFalsifiedLogs } from "./falsifiedContracts.ts";
import { createJournalOrderVectors } from "./journalOrders.ts";
import { vectorKey, vectorOrigin, vectorSigner } from "./log.ts";
import { createOtherContract } from "./otherContract.ts";

type Tamper = (receipt: ContractReceipt) => unknown;
const tampers: Record<string, Tamper> = {
  "payout one minor unit more": (receipt) => ({
    ...receipt,
    result: { ...receipt.result, payout: String(BigInt(receipt.result.payout) + 1n) },
  }),
  "selling price one tick more": (receipt) => ({
    ...receipt,
    result: {
      ...receipt.result,
      selling_price: String(BigInt(receipt.result.selling_price!) + 1n),
    },
  }),
  "the other direction": (receipt) => ({
    ...receipt,
    order: { ...receipt.order, direction: "down" },
  }),
  "without the second before it was bound": (receipt) => ({
    ...receipt,
    before_leaf: receipt.bound_leaf,
  }),
  "entered a second later": (receipt) => ({ ...receipt, entry_leaf: receipt.entry_leaf + 1 }),
  "a second left out of the window": (receipt) => ({
    ...receipt,
    window_leaves: [receipt.window_leaves![0] + 1, receipt.window_leaves![1]],
  }),
  "terms with a better rate": (receipt) => ({
    ...receipt,
    terms: { ...receipt.terms, version: 2 },
  }),
  "without the practice mark": (receipt) => ({ ...receipt, practice: false }),
  "of a live market": (receipt) => ({ ...receipt, market: { kind: "live", speed: 1 } }),
};

export function createReceiptVectors() {
  const root = treeRoot(entries.map(leafHash));
  const size = entries.length;
  const leaves = new Map(entries.map((entry, index) => [index, entry]));
  const receipts = orders.map(createReceipt);
  for (const receipt of receipts) {
    const check = checkReceipt(receipt, world, leaves);
    if (!check.ok)
      throw new Error(`a receipt of the vectors fails: ${JSON.stringify(check.steps.at(-1))}`);
  }
  return {
    about:
      "A whole small log, receipts that agree with it, and altered ones with what must be found. In `falsified` the log is `entries` with `remove` leaves from `at` on replaced by `insert`; in `forged_sources` too, where a signature must be verified, and in `void_by_samples`, with what the order would have been. `journals` has receipts of the money behind the orders: the log of each is the first `keep` leaves of `entries`, and `append`.",
    vkey: encodeVkey(vectorKey),
    checkpoint: signNote(checkpointText({ origin: vectorOrigin, size, root }), [vectorSigner]),
    entries: entries.map(bytesToHex),
    receipts,
    altered: [
      ...Object.entries(tampers).map(
        ([name, alter]) => [name, alter(structuredClone(receipts[0]!))] as const,
      ),
      ["held back for a second before it was bound", createReceipt(heldUpOrder)] as const,
    ].map(([name, receipt]) => {
      const failedStep = checkReceipt(receipt, world, leaves).steps.find(({ ok }) => !ok);
      if (!failedStep) throw new Error(`the altered receipt passes: ${name}`);
      return { name, receipt, step: failedStep.step, difference: failedStep.difference };
    }),
    void_by_samples: createVoidBySamples(),
    falsified: createFalsifiedLogs(),
    forged_sources: createForgedSources(),
    journals: createJournalOrderVectors(),
    others: [createOtherContract()],
  };
}
