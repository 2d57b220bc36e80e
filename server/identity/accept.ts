import { createHash, randomUUID } from "node:crypto";
import { sql } from "kysely";
import { realDay } from "#core/contracts/limits.ts";
import { identityForm } from "#core/identity/specimen.ts";
import {
  closingAfterMs,
  differingFields,
  dueAfterMs,
  type IdentityForm,
  sentPerDay,
} from "#core/identity/verify.ts";
import { isUuidV7, journalIdOfKey } from "#core/ledger/ids.ts";
import { dayMs } from "#core/money/time.ts";
import { sameBytes } from "#core/transparency-log/bytes.ts";
import { type KeptFields, readWish, type VerifyWish } from "#server/identity/form.ts";
import { recognise, type SpecimenRow, specimenOf } from "#server/identity/specimens.ts";
import { readVerification, sentSince, type VerificationRow } from "#server/identity/store.ts";
import { Refusal } from "#server/platform/apiError.ts";
import type { Parts } from "#server/platform/context.ts";
import type { Blobs } from "#server/platform/crypto/blobs.ts";
import type { Sealing } from "#server/platform/crypto/fieldEncryption.ts";
import { type Db, lockKey, type Tx } from "#server/platform/db/database.ts";
import type { Looking, LookRules, Seen } from "#server/platform/images/imageDecoder.ts";

export interface AcceptNeeds {
  imageDecoder: Looking;
  sealing: Sealing;
  blobs: Blobs;
}

const lookRules: LookRules = {
  keeps: identityForm,
  wrongType: "identity.picture_type",
  unreadable: "identity.picture_unreadable",
};

/**
 * Takes a verification: form and picture are checked, and only when both are of one specimen of this user are they kept. The same
 * `key` and request again gives the same one. Throws the Refusal that names what is wrong; then nothing was stored.
 */
export async function acceptVerification(
  parts: Parts,
  needs: AcceptNeeds,
  userId: string,
  wish: VerifyWish,
  key: string | null,
): Promise<VerificationRow> {
  const { db } = parts.database;
  const id = idOf(userId, key);
  const request = await needs.sealing.blind("identity.request", JSON.stringify(wish));
  const before = await readVerification(db, userId, id);
  if (before) return sameRequest(before, request);
  const { form, picture } = readWish(wish);
  const seen = await needs.imageDecoder.look(picture, lookRules);
  const specimen = await recognise(parts, needs.sealing, userId, seen.texts);
  requireSame(form, specimen);
  // Asked again when it is written; before that, so that nothing is sealed in vain.
  await requireRoom(db, { userId, id }, parts.realClock.nowMs());
  const draft = { id, request, form, specimen, ...(await keep(needs, id, form, seen)) };
  try {
    await insert(parts, userId, draft);
  } catch (error) {
    await needs.blobs.remove(draft.image);
    // The same request may have got here by another way first.
    const other = await readVerification(db, userId, id);
    if (other) return sameRequest(other, request);
    throw error;
  }
  const row = await readVerification(db, userId, id);
  if (!row) throw new Error("a verification was taken and is not there");
  return row;
}

function idOf(userId: string, key: string | null): string {
  if (key === null || key === "") return randomUUID();
  if (!isUuidV7(key.toLowerCase())) throw new Refusal("idempotency.key_malformed");
  return journalIdOfKey(userId, key.toLowerCase());
}

function sameRequest(row: VerificationRow, request: Buffer): VerificationRow {
  if (!sameBytes(row.request, request)) throw new Refusal("idempotency.body_changed");
  return row;
}

/** The first field that says something else is named. */
function requireSame(form: IdentityForm, row: SpecimenRow): void {
  const [field] = differingFields(form, specimenOf(row));
  if (field !== undefined) throw new Refusal("identity.differs", { field });
}

interface Kept {
  image: string;
  fields: Buffer;
  width: number;
  height: number;
  sha256: string;
  bytes: number;
}

/** Seals fields and picture under the verification's own key. */
async function keep(
  { sealing, blobs }: AcceptNeeds,
  id: string,
  form: IdentityForm,
  { webp, width, height }: Seen,
): Promise<Kept> {
  if (!webp) throw new Error("a specimen was seen and not encoded");
  const { name, number, sex, birthday, contact } = form;
  const kept: KeptFields = { name, number, sex, birthday, contact };
  const fields = await sealing.seal(id, JSON.stringify(kept));
  const image = await blobs.put(await sealing.seal(id, webp));
  const sha256 = createHash("sha256").update(webp).digest("hex");
  return { image, fields, width, height, sha256, bytes: webp.length };
}

/** One at a time besides the same one, and so many a real day. */
async function requireRoom(
  db: Db | Tx,
  { userId, id }: { userId: string; id: string },
  realMs: number,
): Promise<void> {
  const { rows: waiting } = await sql`
    select id from identity_verification where user_id = ${userId} and outcome is null and id <> ${id}`.execute(
    db,
  );
  if (waiting.length > 0) throw new Refusal("identity.under_review");
  if ((await sentSince(db, userId, realDay(realMs) * dayMs)) >= sentPerDay) {
    throw new Refusal("identity.too_many_tries");
  }
}

interface Draft extends Kept {
  id: string;
  request: Buffer;
  form: IdentityForm;
  specimen: SpecimenRow;
}

async function insert(
  { database, clock, realClock }: Parts,
  userId: string,
  draft: Draft,
): Promise<void> {
  const { id, request, form, specimen, image, fields, width, height, sha256, bytes } = draft;
  await database.db.transaction().execute(async (tx) => {
    // One person's verifications wait for each other, so that no two see room for one.
    await sql`select pg_advisory_xact_lock(${lockKey(database.schema, `identity/${userId}`)}::bigint)`.execute(
      tx,
    );
    const nowMs = clock.nowMs();
    const realMs = realClock.nowMs();
    await requireRoom(tx, { userId, id }, realMs);
    await sql`
      insert into identity_verification (id, user_id, request, specimen_id, document_type, fields, image, image_width,
        image_height, image_sha256, image_bytes, sent_at_ms, sent_real_ms, closing_at_ms, due_at_ms)
      values (${id}, ${userId}, ${request}, ${specimen.id}, ${form.documentType}, ${fields}, ${image}, ${width}, ${height},
        ${sha256}, ${bytes}, ${nowMs}, ${realMs}, ${nowMs + closingAfterMs}, ${nowMs + dueAfterMs})`.execute(
      tx,
    );
  });
}
