import { sql } from "kysely";
import type { DocumentType } from "#core/identity/documents.ts";
import type { RejectionReason } from "#core/identity/review.ts";
import { isUuid } from "#core/ledger/uuid.ts";
import type { Page } from "#server/identity/specimens.ts";
import type { Db, Tx } from "#server/platform/db/database.ts";

export interface VerificationRow {
  id: string;
  seq: bigint;
  user_id: string;
  request: Buffer;
  specimen_id: string;
  document_type: DocumentType;
  fields_encrypted: Buffer | null;
  image: string | null;
  image_width: number;
  image_height: number;
  image_sha256: string;
  image_bytes: number;
  sent_at_ms: bigint;
  sent_real_ms: bigint;
  closing_at_ms: bigint;
  due_at_ms: bigint;
  outcome: "verified" | "refused" | null;
  reason: RejectionReason | null;
  over_at_ms: bigint | null;
  over_real_ms: bigint | null;
  purged_real_ms: bigint | null;
}

/** One verification of a user; null if it does not exist or is someone else's. */
export async function readVerification(
  db: Db,
  userId: string,
  id: string,
): Promise<VerificationRow | null> {
  if (!isUuid(id)) return null;
  const { rows } = await sql<VerificationRow>`
    select * from identity_verification where id = ${id} and user_id = ${userId}`.execute(db);
  return rows[0] ?? null;
}

export async function listVerifications(
  db: Db,
  userId: string,
  { upToSeq, limit, offset }: Page,
): Promise<VerificationRow[]> {
  const { rows } = await sql<VerificationRow>`
    select * from identity_verification
    where user_id = ${userId} and (${upToSeq}::bigint is null or seq <= ${upToSeq})
    order by seq desc limit ${limit} offset ${offset}`.execute(db);
  return rows;
}

export async function countSentSince(db: Db | Tx, userId: string, realMs: number): Promise<number> {
  const { rows } = await sql<{ sent: bigint }>`
    select count(*) as sent from identity_verification
    where user_id = ${userId} and sent_real_ms >= ${realMs}`.execute(db);
  return Number(rows[0]!.sent);
}

/** Verifications whose review is due, oldest first. */
export async function readDue(db: Db, nowMs: number, limit: number): Promise<VerificationRow[]> {
  const { rows } = await sql<VerificationRow>`
    select * from identity_verification where outcome is null and due_at_ms <= ${nowMs}
    order by due_at_ms, seq limit ${limit}`.execute(db);
  return rows;
}

/** Verifications decided at or before `realMs` and not purged yet. */
export async function readToPurge(
  db: Db,
  realMs: number,
  limit: number,
): Promise<VerificationRow[]> {
  const { rows } = await sql<VerificationRow>`
    select * from identity_verification
    where purged_real_ms is null and outcome is not null and over_real_ms <= ${realMs}
    order by over_real_ms, seq limit ${limit}`.execute(db);
  return rows;
}

export async function readNamedImages(db: Db, names: string[]): Promise<Set<string>> {
  const { rows } = await sql<{ image: string }>`
    select image from identity_verification where image = any(${names}::text[])`.execute(db);
  return new Set(rows.map(({ image }) => image));
}
