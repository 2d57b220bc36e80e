import { createHash, randomUUID } from "node:crypto";
import { sql } from "kysely";
import {
  dueAfterMs,
  findDifferingFields,
  type IdentityForm,
  reviewAfterMs,
  submissionsPerDayMax,
} from "#core/identity/review.ts";
import { identityForm } from "#core/identity/specimen.ts";
import { deriveKeyJournalId, isUuidV7 } from "#core/ledger/ids.ts";
import { dayStartMs } from "#core/money/time.ts";
import { equalBytes } from "#core/transparency-log/bytes.ts";
import { parseParams, type StoredFields, type VerifyParams } from "#server/identity/form.ts";
import { recogniseSpecimen, type SpecimenRow, toSpecimen } from "#server/identity/specimens.ts";
import { countSentSince, readVerification, type VerificationRow } from "#server/identity/store.ts";
import { ApiError } from "#server/platform/apiError.ts";
import type { AppContext } from "#server/platform/context.ts";
import type { Blobs } from "#server/platform/crypto/blobs.ts";
import type { FieldEncryption } from "#server/platform/crypto/fieldEncryption.ts";
import { type Db, lockKey, type Tx } from "#server/platform/db/database.ts";
import type {
  DecodedImage,
  DecodeRules,
  ImageDecoder,
} from "#server/platform/images/imageDecoder.ts";

export interface AcceptVerificationDeps {
  imageDecoder: ImageDecoder;
  fieldEncryption: FieldEncryption;
  blobs: Blobs;
}

const decodeRules: DecodeRules = {
  codePattern: identityForm,
  wrongType: "identity.picture_type",
  unreadable: "identity.picture_unreadable",
};

/**
 * Accepts a verification: checks form and picture, and stores them only when both match one
 * specimen of this user. Repeating the same `key` and request returns the existing verification.
 * Throws the ApiError that says what is wrong; nothing is stored then.
 */
export async function acceptVerification(
  ctx: AppContext,
  deps: AcceptVerificationDeps,
  userId: string,
  params: VerifyParams,
  key: string | null,
): Promise<VerificationRow> {
  const { db } = ctx.database;
  const id = deriveId(userId, key);
  const request = await deps.fieldEncryption.blindIndex("identity.request", JSON.stringify(params));
  const before = await readVerification(db, userId, id);
  if (before) return sameRequest(before, request);
  const { form, picture } = parseParams(params);
  // Checked again on insert; checked here to avoid needless decoding and encryption.
  await requireDailyQuota(db, { userId, id }, ctx.realClock.nowMs());
  const decodedImage = await deps.imageDecoder.decode(userId, picture, decodeRules);
  const specimen = await recogniseSpecimen(ctx, deps.fieldEncryption, userId, decodedImage.texts);
  requireSame(form, specimen);
  const draft = {
    id,
    request,
    form,
    specimen,
    ...(await storeImage(deps, id, form, decodedImage)),
  };
  try {
    await insert(ctx, userId, draft);
  } catch (error) {
    await deps.blobs.remove(draft.image);
    // The same request may have been stored concurrently.
    const earlierVerification = await readVerification(db, userId, id);
    if (earlierVerification) return sameRequest(earlierVerification, request);
    throw error;
  }
  const row = await readVerification(db, userId, id);
  if (!row) throw new Error("a verification was accepted, but its row is missing");
  return row;
}

function deriveId(userId: string, key: string | null): string {
  if (key === null || key === "") return randomUUID();
  if (!isUuidV7(key.toLowerCase())) throw new ApiError("idempotency.key_malformed");
  return deriveKeyJournalId(userId, key.toLowerCase());
}

function sameRequest(row: VerificationRow, request: Buffer): VerificationRow {
  if (!equalBytes(row.request, request)) throw new ApiError("idempotency.body_changed");
  return row;
}

/** Throws with the first field that differs. */
function requireSame(form: IdentityForm, row: SpecimenRow): void {
  const [field] = findDifferingFields(form, toSpecimen(row));
  if (field !== undefined) throw new ApiError("identity.differs", { field });
}

interface StoredImage {
  image: string;
  fields: Buffer;
  width: number;
  height: number;
  sha256: string;
  bytes: number;
}

/** Encrypts fields and picture under the verification's own key. */
async function storeImage(
  { fieldEncryption, blobs }: AcceptVerificationDeps,
  id: string,
  form: IdentityForm,
  { webp, width, height }: DecodedImage,
): Promise<StoredImage> {
  if (!webp) throw new Error("a specimen was decoded, but not encoded as WebP");
  const { name, number, sex, birthday, contact } = form;
  const plainFields: StoredFields = { name, number, sex, birthday, contact };
  await fieldEncryption.createKey(id);
  const fields = await fieldEncryption.encrypt(id, JSON.stringify(plainFields));
  const image = await blobs.put(await fieldEncryption.encrypt(id, webp));
  const sha256 = createHash("sha256").update(webp).digest("hex");
  return { image, fields, width, height, sha256, bytes: webp.length };
}

/**
 * Allows one verification under review at a time (besides `id` itself), and a fixed number per real
 * day.
 */
async function requireDailyQuota(
  db: Db | Tx,
  { userId, id }: { userId: string; id: string },
  realMs: number,
): Promise<void> {
  const { rows: waitingRows } = await sql`
    select id from identity_verification where user_id = ${userId} and outcome is null and id <> ${id}`.execute(
    db,
  );
  if (waitingRows.length > 0) throw new ApiError("identity.under_review");
  if ((await countSentSince(db, userId, dayStartMs(realMs))) >= submissionsPerDayMax) {
    throw new ApiError("identity.too_many_tries");
  }
}

interface Draft extends StoredImage {
  id: string;
  request: Buffer;
  form: IdentityForm;
  specimen: SpecimenRow;
}

async function insert(
  { database, clock, realClock }: AppContext,
  userId: string,
  draft: Draft,
): Promise<void> {
  const { id, request, form, specimen, image, fields, width, height, sha256, bytes } = draft;
  await database.db.transaction().execute(async (tx) => {
    // Serialises one person's verifications, so that two cannot both take the last free slot.
    await sql`select pg_advisory_xact_lock(${lockKey(database.schema, `identity/${userId}`)}::bigint)`.execute(
      tx,
    );
    const nowMs = clock.nowMs();
    const realMs = realClock.nowMs();
    await requireDailyQuota(tx, { userId, id }, realMs);
    await sql`
      insert into identity_verification (id, user_id, request, specimen_id, document_type, fields_encrypted, image, image_width,
        image_height, image_sha256, image_bytes, sent_at_ms, sent_real_ms, closing_at_ms, due_at_ms)
      values (${id}, ${userId}, ${request}, ${specimen.id}, ${form.documentType}, ${fields}, ${image}, ${width}, ${height},
        ${sha256}, ${bytes}, ${nowMs}, ${realMs}, ${nowMs + reviewAfterMs}, ${nowMs + dueAfterMs})`.execute(
      tx,
    );
  });
}
