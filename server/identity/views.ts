import type { IdentitySpecimen, PersonRecord, RealNameInfo, Verification } from "#api/identity.ts";
import { contactAuthority } from "#core/identity/contact.ts";
import { computeAge, type Day, formatDay, parseDay } from "#core/identity/residentId.ts";
import {
  drawsPerDayMax,
  dueAfterMs,
  getIdentityStatus,
  reviewAfterMs,
  submissionsPerDayMax,
} from "#core/identity/review.ts";
import { toDay } from "#core/identity/specimen.ts";
import { dayMs } from "#core/money/time.ts";
import type { StoredFields } from "#server/identity/form.ts";
import { type SpecimenRow, specimenRetentionMs, toSpecimen } from "#server/identity/specimens.ts";
import type { VerificationRow } from "#server/identity/store.ts";

/** Real time from the decision within which picture and fields are purged. */
const purgeWithinMs = dayMs;

const toMs = (ms: bigint | null) => (ms === null ? null : Number(ms));

export function toSpecimenView(row: SpecimenRow, world: string, qrText: string): IdentitySpecimen {
  const { name, sex, birthday, number, contact, print } = toSpecimen(row);
  return {
    specimen_id: row.id,
    kind: row.kind_disclosed ? row.kind : null,
    document_type: row.document_type,
    state: row.state,
    name,
    sex,
    birthday: formatDay(birthday),
    number,
    contact: {
      country: contact.country,
      number: contact.national,
      e164: contact.e164,
      authority: contactAuthority[contact.country],
    },
    print: {
      name: print.name,
      issued_on: print.issuedOn,
      expires_on: print.expiresOn,
      blurred: print.blurred,
    },
    drawn_at_ms: Number(row.drawn_at_ms),
    deleted_at_ms: Number(row.drawn_real_ms) + specimenRetentionMs,
    world,
    qr_text: qrText,
  };
}

/**
 * A verification as the wire shows it. Reveals what form and document said only once it is
 * decided: the lesson is to look first. `specimen` is null once it is deleted.
 */
export function toVerificationView(
  row: VerificationRow,
  specimen: SpecimenRow | null,
  nowMs: number,
): Verification {
  const isDecided = row.outcome !== null;
  const isPurged = row.purged_real_ms !== null;
  return {
    verification_id: row.id,
    document_type: row.document_type,
    status: getIdentityStatus({ closingAtMs: Number(row.closing_at_ms), isDecided }, nowMs),
    outcome: row.outcome,
    reason: row.reason,
    sent_at_ms: Number(row.sent_at_ms),
    closing_at_ms: Number(row.closing_at_ms),
    due_at_ms: Number(row.due_at_ms),
    over_at_ms: toMs(row.over_at_ms),
    shown: isDecided && !isPurged && specimen ? toShown(specimen) : null,
    image: isPurged
      ? null
      : { width: row.image_width, height: row.image_height, sha256: row.image_sha256 },
    purge_by_ms: row.over_real_ms === null ? null : Number(row.over_real_ms) + purgeWithinMs,
    receipt:
      row.purged_real_ms === null
        ? null
        : {
            image_sha256: row.image_sha256,
            image_bytes: row.image_bytes,
            purged_at_ms: Number(row.purged_real_ms),
          },
  };
}

function toShown(row: SpecimenRow): NonNullable<Verification["shown"]> {
  const { name, number, print } = toSpecimen(row);
  return {
    name,
    print_name: print.name,
    number,
    expires_on: print.expiresOn,
    kind: row.kind,
  };
}

export function toPersonView(
  row: VerificationRow,
  fields: StoredFields,
  sexTitle: string,
  nowMs: number,
): PersonRecord {
  return {
    name: fields.name,
    sex: fields.sex,
    sex_title: sexTitle,
    birthday: fields.birthday,
    age: computeAge(parseDay(fields.birthday) as Day, toDay(nowMs)),
    document_type: row.document_type,
    document_number: fields.number,
    contact_number: fields.contact,
  };
}

export const rulesView: RealNameInfo["rules"] = {
  closing_after_ms: reviewAfterMs,
  over_after_ms: dueAfterMs,
  purge_within_ms: purgeWithinMs,
  specimens_a_day: drawsPerDayMax,
  tries_a_day: submissionsPerDayMax,
};
