import { checkReceipt, type ReceiptCheck } from "#core/contracts/receipt.ts";
import { checkIndexes } from "#core/contracts/receiptIndex.ts";
import {
  type ContractReceipt,
  listNeededLeaves,
  parseReceipt,
  receiptFormat,
} from "#core/contracts/receiptSchema.ts";
import { listIndexes } from "#core/transparency-log/provenLeaves.ts";
import type { WorldLeaf } from "#core/transparency-log/worldLeaf.ts";
import type { CheckStep, ReceiptKind } from "#web/features/receipt/check.ts";

/** The contents of a contract's receipt besides its steps. */
export interface ContractDetail {
  kind: "contract";
  receipt: ContractReceipt;
  check: ReceiptCheck;
  priceScale: number;
}

/** The receipt of an up/down contract (docs/formats/receipt.md). */
export const contractKind: ReceiptKind<ContractDetail> = {
  format: receiptFormat,
  getLog: (value) => parseReceipt(value)?.log ?? null,
  listLeaves: (value) => {
    const receipt = parseReceipt(value);
    if (!receipt) return null;
    return listNeededLeaves(receipt).flatMap((range) => listIndexes(...range));
  },
  check: (value, world, leaves, _size, verify, verifyRound) => {
    const receipt = parseReceipt(value)!;
    const check = checkReceipt(value, world, leaves, verify, verifyRound);
    const steps: CheckStep[] = check.steps.map(({ step, ok, difference, inputs }) => ({
      step,
      ok,
      mismatch: difference,
      inputs,
    }));
    const symbol = world.symbols.find(({ name }) => name === check.order?.symbol);
    const detail = { kind: "contract", receipt, check, priceScale: symbol?.scale ?? 0 } as const;
    if (!check.ok) return { ok: false, steps, detail };
    const index = checkIndex(check, world, leaves);
    return { ok: index.ok, steps: [...steps, index], detail };
  },
};

/** Recomputes the index of every included second leaf from the venue quotes that came with it. */
function checkIndex(
  check: ReceiptCheck,
  world: WorldLeaf,
  leaves: ReadonlyMap<number, Uint8Array>,
): CheckStep {
  const symbol = check.order?.symbol ?? "";
  const { seconds, wrong } = checkIndexes(symbol, world, leaves, leaves.keys());
  if (wrong) {
    const { leaf, index, recomputed } = wrong;
    const inputs = { leaf, index: String(index), recomputed: String(recomputed) };
    return { step: "index", ok: false, mismatch: "index_differs", inputs };
  }
  const venues = world.symbols.find(({ name }) => name === symbol)?.venues.length ?? 0;
  return { step: "index", ok: true, mismatch: null, inputs: { seconds, venues } };
}
