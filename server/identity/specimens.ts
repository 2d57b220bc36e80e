import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import type { ContactCountry } from "#core/identity/contact.ts";
import type { DocumentType, IssuingState } from "#core/identity/documents.ts";
import { drawsPerDayMax } from "#core/identity/review.ts";
import {
  formatSignedText,
  formatSpecimenText,
  makeSpecimen,
  parseSpecimenText,
  type Specimen,
  type SpecimenKind,
  specimenKinds,
} from "#core/identity/specimen.ts";
import { dayMs, toRealDay } from "#core/money/time.ts";
import { ApiError } from "#server/platform/apiError.ts";
import type { AppContext } from "#server/platform/context.ts";
import type { FieldEncryption } from "#server/platform/crypto/fieldEncryption.ts";
import type { Db, Tx } from "#server/platform/db/database.ts";

/** Real time after which a specimen is deleted, used or not. */
export const specimenRetentionMs = 7 * dayMs;

export interface SpecimenRow {
  id: string;
  seq: bigint;
  user_id: string;
  seed: Buffer;
  kind: SpecimenKind;
  kind_disclosed: boolean;
  document_type: DocumentType;
  state: IssuingState;
  country: ContactCountry;
  drawn_at_ms: bigint;
  drawn_real_ms: bigint;
}

export interface SpecimenParams {
  documentType: DocumentType;
  state: IssuingState;
  country: ContactCountry;
  /** Null: a random kind, disclosed once a verification with it is decided. */
  kind: SpecimenKind | null;
}

export function toSpecimen(row: SpecimenRow): Specimen {
  const { seed, kind, document_type: documentType, state, country } = row;
  return makeSpecimen({
    seed,
    kind,
    documentType,
    state,
    country,
    drawnAtMs: Number(row.drawn_at_ms),
  });
}

/** Draws a specimen. Throws `identity.too_many_specimens`. */
export async function drawSpecimen(
  { database, clock, realClock }: AppContext,
  userId: string,
  { documentType, state, country, kind }: SpecimenParams,
): Promise<SpecimenRow> {
  const seed = randomBytes(32);
  const specimenKind = kind ?? specimenKinds[(seed[0] as number) % specimenKinds.length];
  const realMs = realClock.nowMs();
  return database.db.transaction().execute(async (tx) => {
    // Holds the day's row until commit, so that two draws cannot both take the last free slot.
    const { rows: countRows } = await sql<{ used: number }>`
      insert into identity_specimen_quota (user_id, day, used) values (${userId}, ${toRealDay(realMs)}, 1)
      on conflict (user_id, day) do update set used = identity_specimen_quota.used + 1 returning used`.execute(
      tx,
    );
    if (countRows[0]!.used > drawsPerDayMax) throw new ApiError("identity.too_many_specimens");
    const { rows } = await sql<SpecimenRow>`
      insert into identity_specimen (id, user_id, seed, kind, kind_disclosed, document_type, state, country, drawn_at_ms, drawn_real_ms)
      values (${randomBytes(12).toString("hex")}, ${userId}, ${seed}, ${specimenKind}, ${kind !== null}, ${documentType}, ${state},
        ${country}, ${clock.nowMs()}, ${realMs})
      returning *`.execute(tx);
    return rows[0]!;
  });
}

export async function countDrawnToday(db: Db, userId: string, realMs: number): Promise<number> {
  const { rows } = await sql<{ used: number }>`
    select used from identity_specimen_quota where user_id = ${userId} and day = ${toRealDay(realMs)}`.execute(
    db,
  );
  return rows[0]?.used ?? 0;
}

export interface Page {
  upToSeq: bigint | null;
  limit: number;
  offset: number;
}

export async function listSpecimens(
  db: Db,
  userId: string,
  { upToSeq, limit, offset }: Page,
): Promise<SpecimenRow[]> {
  const { rows } = await sql<SpecimenRow>`
    select * from identity_specimen
    where user_id = ${userId} and (${upToSeq}::bigint is null or seq <= ${upToSeq})
    order by seq desc limit ${limit} offset ${offset}`.execute(db);
  return rows;
}

export async function readSpecimens(db: Db | Tx, ids: string[]): Promise<Map<string, SpecimenRow>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<SpecimenRow>`
    select * from identity_specimen where id = any(${ids}::text[])`.execute(db);
  return new Map(rows.map((row) => [row.id, row]));
}

/** The issuer's MAC: the first 16 bytes of HMAC-SHA-256 under a key of this instance, in hex. */
async function computeMac(fieldEncryption: FieldEncryption, message: string): Promise<string> {
  return (await fieldEncryption.blindIndex("identity.specimen", message))
    .subarray(0, 16)
    .toString("hex");
}

export async function createQrText(
  fieldEncryption: FieldEncryption,
  world: string,
  id: string,
): Promise<string> {
  const mark = { world, id };
  return formatSpecimenText(mark, await computeMac(fieldEncryption, formatSignedText(mark)));
}

/**
 * Finds the user's specimen named by the codes in a picture. Throws `identity.not_a_specimen` with
 * the reason.
 */
export async function recogniseSpecimen(
  { database, world }: AppContext,
  fieldEncryption: FieldEncryption,
  userId: string,
  texts: string[],
): Promise<SpecimenRow> {
  const refuse = (reason: string) => new ApiError("identity.not_a_specimen", { why: reason });
  if (texts.length === 0) throw refuse("no_code");
  // Choosing between two codes would be up to us, and could not be checked.
  if (texts.length > 1) throw refuse("several_codes");
  const specimenText = parseSpecimenText(texts[0] as string);
  if (!specimenText) throw refuse("other_code");
  if (specimenText.world !== world.name) throw refuse("other_world");
  const row = (await readSpecimens(database.db, [specimenText.id])).get(specimenText.id);
  const macMatches =
    (await computeMac(fieldEncryption, formatSignedText(specimenText))) === specimenText.mac;
  if (!row || row.user_id !== userId || !macMatches) throw refuse("not_issued");
  return row;
}
