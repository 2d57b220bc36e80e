import * as z from "zod/mini";
import { defineCall } from "#api/call.ts";
import { hash, id, nothing, pageSchema, paging, timeMs } from "#api/shapes.ts";
import { contactCountries } from "#core/identity/contact.ts";
import { documentTypes, issuingStates } from "#core/identity/documents.ts";
import {
  contactLengthMax,
  nameLengthMax,
  numberLengthMax,
  rejectionReasons,
} from "#core/identity/review.ts";
import { specimenKinds } from "#core/identity/specimen.ts";
import { pictureBytesMax, pictureTypes } from "#core/recharge/recharge.ts";

const documentType = z.enum(documentTypes);
const kind = z.enum(specimenKinds);
/** 0: male, 1: female. */
const sex = z.int().check(z.minimum(0), z.maximum(1));
/** `1990-12-31`. */
const day = z.string().check(z.regex(/^[0-9]{4}-[0-9]{2}-[0-9]{2}$/));

/**
 * A fictional identity and its document: no one has this name, number or contact number, and no
 * such state exists.
 */
const specimen = z.object({
  specimen_id: id,
  /** Null for one drawn as a surprise, until a verification with it is decided. */
  kind: z.nullable(kind),
  document_type: documentType,
  state: z.enum(issuingStates),
  name: z.string(),
  sex,
  birthday: day,
  number: z.string(),
  contact: z.object({
    country: z.enum(contactCountries),
    /** In that country's national format. */
    number: z.string(),
    e164: z.string(),
    /** The authority that reserves the number range for fiction. */
    authority: z.string(),
  }),
  /** The fields printed on the document; it may differ from the identity. */
  print: z.object({
    name: z.string(),
    issued_on: day,
    expires_on: day,
    /** Drawn blurred and with glare. */
    blurred: z.boolean(),
  }),
  /** World time. */
  drawn_at_ms: timeMs,
  /** Real time at which it is deleted, used or not. */
  deleted_at_ms: timeMs,
  world: z.string(),
  /** The content of its QR code: an id and the issuer's mark, no personal data. */
  qr_text: z.string(),
});
export type IdentitySpecimen = z.infer<typeof specimen>;

export const drawIdentity = defineCall({
  method: "POST",
  path: "/api/user/drawIdentity",
  summary:
    "Issues a fictional identity with a document to draw, at most 30 per real day; without `kind` the outcome is a surprise",
  access: "user",
  input: z.object({
    document_type: documentType,
    state: z.enum(issuingStates),
    country: z.enum(contactCountries),
    kind: z.optional(kind),
  }),
  answer: specimen,
  errors: ["session.required", "identity.too_many_specimens"],
});

export const getSpecimenList = defineCall({
  method: "GET",
  path: "/api/user/getSpecimenList",
  summary: "The fictional identities issued to the user and not yet deleted, newest first",
  access: "user",
  input: z.object({ ...paging }),
  answer: pageSchema(specimen),
  errors: ["session.required"],
});

/**
 * Everything held about the person until it is purged: the fields they typed, and values derived
 * from them.
 */
const personRecord = z.object({
  name: z.string(),
  sex,
  /** "Male" or "Female" in the request's language. */
  sex_title: z.string(),
  birthday: day,
  /** In full years (docs/rules/identity.md, "Age"). */
  age: z.int(),
  document_type: documentType,
  document_number: z.string(),
  /** E.164. */
  contact_number: z.string(),
});
export type PersonRecord = z.infer<typeof personRecord>;

const verification = z.object({
  verification_id: id,
  document_type: documentType,
  /** Derived from world time: waiting, closing while under review, over once decided. */
  status: z.enum(["waiting", "closing", "over"]),
  outcome: z.nullable(z.enum(["verified", "refused"])),
  reason: z.nullable(z.enum(rejectionReasons)),
  /** World time. */
  sent_at_ms: timeMs,
  closing_at_ms: timeMs,
  due_at_ms: timeMs,
  over_at_ms: z.nullable(timeMs),
  /** The form's and the document's fields; present once decided and until purged. */
  shown: z.nullable(
    z.object({
      name: z.string(),
      print_name: z.string(),
      number: z.string(),
      expires_on: day,
      kind,
    }),
  ),
  /** Null once purged. */
  image: z.nullable(z.object({ width: z.int(), height: z.int(), sha256: hash })),
  /** Real time by which the picture and fields are purged; null until decided. */
  purge_by_ms: z.nullable(timeMs),
  /** The purged data: the picture as it was stored, and all fields. */
  receipt: z.nullable(
    z.object({
      image_sha256: hash,
      image_bytes: z.int(),
      /** Real time. */
      purged_at_ms: timeMs,
    }),
  ),
});
export type Verification = z.infer<typeof verification>;

export const realNameInfo = z.object({
  /** State of the latest verification; `none` before the first. */
  status: z.enum(["none", "waiting", "closing", "over"]),
  outcome: z.nullable(z.enum(["verified", "refused"])),
  verification: z.nullable(verification),
  /** Fields of the latest verification, until it is purged. */
  person: z.nullable(personRecord),
  /** Remaining in this real day. */
  specimens_left: z.int(),
  tries_left: z.int(),
  rules: z.object({
    /** World time from sending until the review begins, and until it is decided. */
    closing_after_ms: z.int(),
    over_after_ms: z.int(),
    /** Real time from the decision until the picture and fields are purged, at the latest. */
    purge_within_ms: z.int(),
    specimens_a_day: z.int(),
    tries_a_day: z.int(),
  }),
});
export type RealNameInfo = z.infer<typeof realNameInfo>;

export const getRealNameInfo = defineCall({
  method: "GET",
  path: "/api/user/getRealNameInfo",
  summary: "The status of the user's practice verification. Nothing on this instance depends on it",
  access: "user",
  input: nothing,
  answer: realNameInfo,
  errors: ["session.required"],
});

/** A text that may be absent, so that the error can name every missing field. */
const textUpTo = (longest: number) => z._default(z.string().check(z.maxLength(longest)), "");

export const realNameVerify = defineCall({
  method: "POST",
  path: "/api/user/realNameVerify",
  summary:
    "Submits the form and picture of a specimen for review. Anything that matches no specimen of the user is refused and not stored. An Idempotency-Key (UUIDv7) makes it safe to retry",
  access: "user",
  upload: { field: "image", types: pictureTypes, maxBytes: pictureBytesMax },
  input: z.object({
    name: textUpTo(nameLengthMax),
    document_type: textUpTo(24),
    number: textUpTo(numberLengthMax),
    /** "0": male, "1": female. */
    sex: textUpTo(1),
    birthday: textUpTo(10),
    /** ISO 3166 code of the contact number's country; not needed if the number begins with +. */
    contact_country: textUpTo(2),
    contact_number: textUpTo(contactLengthMax),
    image: z.optional(z.unknown()),
  }),
  answer: verification,
  errors: [
    "session.required",
    "identity.information_missing",
    "identity.number_wrong",
    "identity.birthday_wrong",
    "identity.contact_wrong",
    "identity.differs",
    "identity.picture_too_large",
    "identity.picture_type",
    "identity.picture_unreadable",
    "identity.not_a_specimen",
    "identity.under_review",
    "identity.too_many_tries",
    "idempotency.key_malformed",
    "idempotency.body_changed",
  ],
});

export const getRealNameList = defineCall({
  method: "GET",
  path: "/api/user/getRealNameList",
  summary: "The user's verifications with their deletion receipts, newest first",
  access: "user",
  input: z.object({ ...paging }),
  answer: pageSchema(verification),
  errors: ["session.required"],
});

export const getRealNameImage = defineCall({
  method: "GET",
  path: "/api/user/getRealNameImage",
  summary:
    "The picture of a verification as stored, until it is purged; only its owner may read it",
  access: "user",
  file: ["image/webp"],
  input: z.object({ verification_id: id }),
  answer: nothing,
  errors: ["session.required", "identity.unknown", "identity.purged"],
});

export const purgeRealName = defineCall({
  method: "POST",
  path: "/api/user/purgeRealName",
  summary:
    "Purges the picture and fields of a decided verification at once. Repeating the call changes nothing",
  access: "user",
  input: z.object({ verification_id: id }),
  answer: verification,
  errors: ["session.required", "identity.unknown", "identity.under_review"],
});

export const calls = {
  drawIdentity,
  getSpecimenList,
  getRealNameInfo,
  realNameVerify,
  getRealNameList,
  getRealNameImage,
  purgeRealName,
};
