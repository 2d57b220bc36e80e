import { hourMs } from "#core/money/time.ts";
import { checkDigitHolds, type DocumentType, normalizeNumber } from "./documents.ts";
import { normalizeName } from "./names.ts";
import { formatDay, type SexCode } from "./residentId.ts";
import { type Specimen, toDay } from "./specimen.ts";

/** The review of a real-name verification (docs/rules/identity.md, "Review"). */

/** Why a verification was refused, in order of checking: the first that applies is the reason. */
export const rejectionReasons = [
  "unreadable",
  "expired",
  "name_differs",
  "number_check_failed",
] as const;
export type RejectionReason = (typeof rejectionReasons)[number];

/**
 * World time from submission until the review begins, and until it is decided; the rule allows 24
 * hours.
 */
export const reviewAfterMs = 3_000;
export const dueAfterMs = 8_000;

/**
 * Real time from the decision until picture and fields are purged; leaves one of the 24 hours as a
 * safety margin.
 */
export const purgeAfterMs = 23 * hourMs;

/** One person's limits per real (UTC) day. */
export const drawsPerDayMax = 30;
export const submissionsPerDayMax = 20;

export const nameLengthMax = 60;
export const numberLengthMax = 24;
export const contactLengthMax = 24;

/** The person's input, validated for form; `contact` is E.164. */
export interface IdentityForm {
  name: string;
  documentType: DocumentType;
  number: string;
  sex: SexCode;
  /** `1990-12-31`. */
  birthday: string;
  contact: string;
}

const formFields = [
  "name",
  "document_type",
  "number",
  "sex",
  "birthday",
  "contact_number",
] as const;
export type FormField = (typeof formFields)[number];

/**
 * The fields that differ from the specimen. Only matching input is accepted, so that no real
 * person's data is stored.
 */
export function findDifferingFields(form: IdentityForm, specimen: Specimen): FormField[] {
  const matches: Record<FormField, boolean> = {
    name: normalizeName(form.name) === normalizeName(specimen.name),
    document_type: form.documentType === specimen.documentType,
    number: normalizeNumber(form.number) === normalizeNumber(specimen.number),
    sex: form.sex === specimen.sex,
    birthday: form.birthday === formatDay(specimen.birthday),
    contact_number: form.contact === specimen.contact.e164,
  };
  return formFields.filter((field) => !matches[field]);
}

export type IdentityDecision = { ok: true } | { ok: false; reason: RejectionReason };

/**
 * Decides a verification by what its document shows. It depends on these inputs only; no human is
 * involved.
 */
export function decideIdentity(specimen: Specimen, sentAtMs: number): IdentityDecision {
  const { print, name, number, documentType } = specimen;
  const findings: Record<RejectionReason, boolean> = {
    unreadable: print.blurred,
    expired: print.expiresOn < formatDay(toDay(sentAtMs)),
    name_differs: normalizeName(print.name) !== normalizeName(name),
    number_check_failed: !checkDigitHolds(documentType, number),
  };
  const reason = rejectionReasons.find((rejectionReason) => findings[rejectionReason]);
  return reason ? { ok: false, reason } : { ok: true };
}

export type IdentityStatus = "waiting" | "closing" | "over";

/** A verification's status in world time. `over` only once decided, however late that is. */
export function getIdentityStatus(
  verification: { closingAtMs: number; isDecided: boolean },
  nowMs: number,
): IdentityStatus {
  if (verification.isDecided) return "over";
  return nowMs >= verification.closingAtMs ? "closing" : "waiting";
}
