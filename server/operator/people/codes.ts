import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import { viewCodeMs, writeViewCode } from "#core/operator/viewing.ts";
import type { FieldEncryption } from "#server/platform/crypto/fieldEncryption.ts";
import type { Db, Tx } from "#server/platform/db/database.ts";

/**
 * Purpose of the codes' keyed digests (`fieldEncryption.blindIndex`): a code is too short for a
 * hash that anyone could compute.
 */
const codeUse = "person_code.code";

function newCode(): string {
  for (;;) {
    const code = writeViewCode(randomBytes(64));
    if (code) return code;
  }
}

/**
 * Creates a person's code and invalidates the previous one. The person generates the code: 36 bits,
 * single use, valid for ten minutes. It is stored as an HMAC, not a plain hash, because eight
 * letters could be brute-forced against a copy of the table. Each part of the pages that is opened
 * is in the person's records once, not each page turned.
 */
export async function makeCode(
  db: Db,
  fieldEncryption: FieldEncryption,
  userId: string,
  nowMs: number,
): Promise<{ code: string; expiresAtMs: number }> {
  const expiresAtMs = nowMs + viewCodeMs;
  for (;;) {
    const code = newCode();
    const codeIndex = await fieldEncryption.blindIndex(codeUse, code);
    // Another person may hold the same one: a chance of one in a hundred thousand million.
    const { rows } = await sql`
      insert into person_code (user_id, code_index, expires_at_ms)
      select ${userId}, ${codeIndex}, ${expiresAtMs}
      where not exists (select from person_code where code_index = ${codeIndex} and user_id <> ${userId})
      on conflict (user_id) do update set code_index = excluded.code_index, expires_at_ms = excluded.expires_at_ms
      returning user_id`.execute(db);
    if (rows.length > 0) return { code, expiresAtMs };
  }
}

/**
 * Uses up a code as parsed by `parseViewCode`; returns its owner, or null if no such code is valid
 * now.
 */
export async function redeemCode(
  tx: Tx,
  fieldEncryption: FieldEncryption,
  code: string,
  nowMs: number,
): Promise<string | null> {
  const codeIndex = await fieldEncryption.blindIndex(codeUse, code);
  const { rows } = await sql<{ user_id: string }>`
    delete from person_code where code_index = ${codeIndex} and expires_at_ms > ${nowMs} returning user_id`.execute(
    tx,
  );
  return rows[0]?.user_id ?? null;
}

export async function readCodeExpiry(
  db: Db,
  userId: string,
  nowMs: number,
): Promise<number | null> {
  const { rows } = await sql<{ expires_at_ms: bigint }>`
    select expires_at_ms from person_code where user_id = ${userId} and expires_at_ms > ${nowMs}`.execute(
    db,
  );
  return rows[0] ? Number(rows[0].expires_at_ms) : null;
}

export async function deleteCode(db: Db | Tx, userId: string): Promise<void> {
  await sql`delete from person_code where user_id = ${userId}`.execute(db);
}
