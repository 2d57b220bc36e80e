import {
  type ActReceipt,
  type AuditCheckStep,
  actReceiptFormat,
  checkAct,
  checkPublication,
  listNeededAuditLeaves,
  type PublicationReceipt,
  parseActReceipt,
  parsePublicationReceipt,
  publicationReceiptFormat,
} from "#core/operator/auditReceipt.ts";
import type { CheckStep, ReceiptKind } from "#web/features/receipt/check.ts";

/** The contents of the receipt of an operator's action besides its steps. */
export interface ActDetail {
  kind: "act";
  receipt: ActReceipt;
}

/** The contents of the receipt of a published text besides its steps. */
export interface PublicationDetail {
  kind: "publication";
  receipt: PublicationReceipt;
}

const toStep = ({ step, ok, difference, inputs }: AuditCheckStep): CheckStep => ({
  step,
  ok,
  mismatch: difference,
  inputs,
});

/** An operator's action on the person who has its opening (docs/formats/audit.md). */
export const actKind: ReceiptKind<ActDetail> = {
  format: actReceiptFormat,
  getLog: (value) => parseActReceipt(value)?.log ?? null,
  listLeaves: (value) => {
    const receipt = parseActReceipt(value);
    return receipt && listNeededAuditLeaves(receipt);
  },
  check: (value, world, leaves) => {
    const steps = checkAct(value, world, leaves).map(toStep);
    const detail = { kind: "act" as const, receipt: parseActReceipt(value)! };
    return { ok: steps.every(({ ok }) => ok), steps, detail };
  },
};

/** A published text (docs/formats/audit.md). */
export const publicationKind: ReceiptKind<PublicationDetail> = {
  format: publicationReceiptFormat,
  getLog: (value) => parsePublicationReceipt(value)?.log ?? null,
  listLeaves: (value) => {
    const receipt = parsePublicationReceipt(value);
    return receipt && listNeededAuditLeaves(receipt);
  },
  check: (value, world, leaves) => {
    const steps = checkPublication(value, world, leaves).map(toStep);
    const detail = { kind: "publication" as const, receipt: parsePublicationReceipt(value)! };
    return { ok: steps.every(({ ok }) => ok), steps, detail };
  },
};
