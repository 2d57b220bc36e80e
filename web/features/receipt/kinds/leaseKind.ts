import { structureHash } from "#core/mining/leaseOrder.ts";
import { checkLease } from "#core/mining/receipt.ts";
import {
  type LeaseReceipt,
  leaseReceiptFormat,
  listNeededLeaseLeaves,
  parseLeaseReceipt,
} from "#core/mining/receiptSchema.ts";
import type { MachineTerms } from "#core/mining/terms.ts";
import { bytesToHex } from "#core/transparency-log/bytes.ts";
import { listIndexes } from "#core/transparency-log/provenLeaves.ts";
import type { CheckStep, ReceiptKind } from "#web/features/receipt/check.ts";

/** The contents of a lease's receipt besides its steps. */
export interface LeaseDetail {
  kind: "lease";
  receipt: LeaseReceipt;
  /** Null on a mismatch. */
  terms: MachineTerms | null;
}

/** Mismatches of a lease that other receipts report under another name. */
const shared: Record<string, string> = { leaf_malformed: "leaf_unreadable" };

/** The receipt of a mining lease (docs/formats/mining.md). */
export const leaseKind: ReceiptKind<LeaseDetail> = {
  format: leaseReceiptFormat,
  getLog: (value) => parseLeaseReceipt(value)?.log ?? null,
  listLeaves: (value) => {
    const receipt = parseLeaseReceipt(value);
    return receipt && listNeededLeaseLeaves(receipt).flatMap((range) => listIndexes(...range));
  },
  check: (value, world, leaves) => {
    const receipt = parseLeaseReceipt(value)!;
    const { ok, steps, terms } = checkLease(value, world, leaves);
    return {
      ok,
      steps: steps
        .filter(({ step, ok: agrees }) => !agrees || includesStep(step, receipt))
        .map(({ step, ok: agrees, difference }) => ({
          step: step === "terms" ? "product_terms" : step,
          ok: agrees,
          mismatch: difference && (shared[difference] ?? difference),
          inputs: getInputs(step, receipt),
        })),
      detail: { kind: "lease", receipt, terms },
    };
  },
};

/**
 * Returns true if a passed step had anything to check: a running lease has no ending, and a new one
 * has no completed day.
 */
function includesStep(
  step: string,
  { ended, from_day: fromDay, to_day: toDay }: LeaseReceipt,
): boolean {
  if (step === "ending") return ended !== null;
  return toDay >= fromDay || (step !== "readings" && step !== "payouts");
}

function getInputs(step: string, receipt: LeaseReceipt): CheckStep["inputs"] {
  const { lease, market, world, readings, from_day: fromDay, to_day: toDay, ended } = receipt;
  switch (step) {
    case "marks":
      return { world, market: market.kind, speed: market.speed };
    case "terms":
      return { terms_hash: lease.terms_hash, terms_leaf: receipt.terms_leaf };
    case "cost":
      return { quantity: lease.quantity, days: lease.days, price: lease.price, power: lease.power };
    case "lease_bound":
      return {
        lease_hash: bytesToHex(structureHash(lease)),
        bound_leaf: receipt.bound_leaf,
        orders_index: receipt.orders_index,
        orders_count: receipt.orders_count,
      };
    case "readings":
      return { start_reading: receipt.start_reading, readings: readings.length };
    case "payouts":
      return { from_day: fromDay, to_day: toDay, mined_before: receipt.mined_before };
    default:
      return ended
        ? {
            unused_days: ended.ending.unused_days,
            price: ended.ending.price,
            power: ended.ending.power,
            bound_leaf: ended.bound_leaf,
          }
        : {};
  }
}
