import { createHash, randomUUID } from "node:crypto";
import { sql } from "kysely";
import type { FieldEncryption } from "#server/platform/crypto/fieldEncryption.ts";
import type { Db, Tx } from "#server/platform/db/database.ts";

export interface Authorisation {
  authorisationId: string;
  kind: "sign_in" | "terms";
  version: number | null;
  /** SHA-256 of `text` in UTF-8, in hex. */
  textHash: string;
  /** Empty if the key it was encrypted with is gone. */
  text: string;
  atMs: number;
  revokedAtMs: number | null;
}

interface Row {
  authorisation_id: string;
  kind: "sign_in" | "terms";
  version: number | null;
  user_id: string;
  text_hash: Buffer;
  text_encrypted: Buffer;
  at_ms: bigint;
  revoked_at_ms: bigint | null;
}

async function fromRow(fieldEncryption: FieldEncryption, row: Row): Promise<Authorisation> {
  return {
    authorisationId: row.authorisation_id,
    kind: row.kind,
    version: row.version,
    textHash: row.text_hash.toString("hex"),
    text: (await fieldEncryption.decryptText(row.user_id, row.text_encrypted)) ?? "",
    atMs: Number(row.at_ms),
    revokedAtMs: row.revoked_at_ms === null ? null : Number(row.revoked_at_ms),
  };
}

/**
 * Records a signed or accepted authorisation. Accepting terms whose acceptance is in force changes
 * nothing and returns the existing record.
 */
export async function recordAuthorisation(
  db: Db | Tx,
  fieldEncryption: FieldEncryption,
  what: { userId: string; version: number | null; text: string; atMs: number },
): Promise<Authorisation> {
  const hash = createHash("sha256").update(what.text, "utf8").digest();
  const encrypted = await fieldEncryption.encrypt(what.userId, what.text);
  const kind = what.version === null ? "sign_in" : "terms";
  const result = await sql<Row>`
    insert into user_authorisation (authorisation_id, user_id, kind, version, text_encrypted, text_hash, at_ms)
    values (${randomUUID()}, ${what.userId}, ${kind}, ${what.version}, ${encrypted}, ${hash}, ${what.atMs})
    on conflict do nothing returning *`.execute(db);
  if (result.rows[0]) return await fromRow(fieldEncryption, result.rows[0]);
  const standingRows = await sql<Row>`
    select * from user_authorisation
    where user_id = ${what.userId} and kind = ${kind} and version = ${what.version} and revoked_at_ms is null`.execute(
    db,
  );
  if (standingRows.rows[0]) return await fromRow(fieldEncryption, standingRows.rows[0]);
  // The authorisation was revoked between the two statements: the newer request counts.
  return await recordAuthorisation(db, fieldEncryption, what);
}

/** Newest first; the latest 200. */
export async function listAuthorisations(
  db: Db,
  fieldEncryption: FieldEncryption,
  userId: string,
): Promise<Authorisation[]> {
  const { rows } = await sql<Row>`
    select * from user_authorisation where user_id = ${userId}
    order by at_ms desc, authorisation_id limit 200`.execute(db);
  return await Promise.all(rows.map((row) => fromRow(fieldEncryption, row)));
}

/** Null if the id is unknown. Revoking twice keeps the first time. */
export async function revoke(
  db: Db,
  userId: string,
  authorisationId: string,
  nowMs: number,
): Promise<{ kind: Authorisation["kind"] } | null> {
  const { rows } = await sql<{ kind: Authorisation["kind"] }>`
    update user_authorisation set revoked_at_ms = coalesce(revoked_at_ms, ${nowMs})
    where user_id = ${userId} and authorisation_id = ${authorisationId} returning kind`.execute(db);
  return rows[0] ?? null;
}

/** The newest version of the terms whose acceptance is in force. */
export async function readAcceptedTerms(
  db: Db,
  userId: string,
): Promise<{ version: number; atMs: number } | null> {
  const { rows } = await sql<Row>`
    select * from user_authorisation
    where user_id = ${userId} and kind = 'terms' and revoked_at_ms is null
    order by version desc limit 1`.execute(db);
  const row = rows[0];
  return row ? { version: row.version as number, atMs: Number(row.at_ms) } : null;
}
