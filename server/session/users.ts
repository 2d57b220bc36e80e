import { randomBytes, randomUUID } from "node:crypto";
import { sql } from "kysely";
import { computeOwnerCommitment } from "#core/ledger/chain.ts";
import type { Locale } from "#core/locales.ts";
import { insertOwner } from "#server/ledger/owners.ts";
import type { FieldEncryption } from "#server/platform/crypto/fieldEncryption.ts";
import { type Db, lockKey, type Tx } from "#server/platform/db/database.ts";
import { parseLanguage } from "#server/platform/http/language.ts";
import { isOpen } from "./sessionStore.ts";

export interface User {
  userId: string;
  attemptId: string;
  attemptNumber: number;
  createdAtMs: number;
  language: string;
  customServiceUrl: string | null;
  /** Lower case; null if the mapping was erased. */
  address: string | null;
}

interface Row {
  user_id: string;
  attempt_id: string;
  number: number;
  created_at_ms: bigint;
  language: string;
  custom_service_url: string | null;
  address_encrypted: Buffer | null;
}

/** The user with the current attempt; null if there is none. */
export async function findUser(
  db: Db | Tx,
  fieldEncryption: FieldEncryption,
  userId: string,
): Promise<User | null> {
  const { rows } = await sql<Row>`
    select u.user_id, t.attempt_id, t.number, u.created_at_ms, u.language, u.custom_service_url, a.address_encrypted
    from user_account u
    cross join lateral (
      select attempt_id, number from user_attempt where user_id = u.user_id order by number desc limit 1
    ) t
    left join user_address a using (user_id)
    where u.user_id = ${userId}`.execute(db);
  const row = rows[0];
  if (!row) return null;
  return {
    userId: row.user_id,
    attemptId: row.attempt_id,
    attemptNumber: row.number,
    createdAtMs: Number(row.created_at_ms),
    language: row.language,
    customServiceUrl: row.custom_service_url,
    address: await fieldEncryption.decryptText(userId, row.address_encrypted),
  };
}

/** The secret salt of the owner commitment that the person's accounts start from, in hex; null once erased. */
export async function readOwnerSalt(
  db: Db,
  fieldEncryption: FieldEncryption,
  userId: string,
): Promise<string | null> {
  const { rows } = await sql<{ owner_salt_encrypted: Buffer }>`
    select owner_salt_encrypted from user_address where user_id = ${userId}`.execute(db);
  return fieldEncryption.decryptText(userId, rows[0]?.owner_salt_encrypted ?? null);
}

/** Purpose of the addresses' keyed digests (`fieldEncryption.blindIndex`). */
const addressUse = "user_address.address";

export interface NewUser {
  /** Lower case. */
  address: string;
  language: string;
  nowMs: number;
  worldMs: number;
  /** Throws if no new account may be created. */
  allow: () => Promise<void>;
}

/**
 * The user of an address, created with a first attempt if it has never been seen. Two concurrent
 * calls create one.
 */
export async function findOrCreateUser(
  tx: Tx,
  { schema, fieldEncryption }: { schema: string; fieldEncryption: FieldEncryption },
  params: NewUser,
): Promise<{ userId: string; created: boolean }> {
  await sql`select pg_advisory_xact_lock(${lockKey(schema, `address/${params.address}`)})`.execute(
    tx,
  );
  const addressIndex = await fieldEncryption.blindIndex(addressUse, params.address);
  const existing = await sql<{ user_id: string }>`
    select user_id from user_address where address_index = ${addressIndex}`.execute(tx);
  if (existing.rows[0]) return { userId: existing.rows[0].user_id, created: false };
  await params.allow();
  const userId = randomUUID();
  await sql`
    insert into user_account (user_id, created_at_ms, language)
    values (${userId}, ${params.nowMs}, ${params.language})`.execute(tx);
  await sql`
    insert into user_attempt (attempt_id, user_id, number, opened_at_ms, opened_at_world_ms)
    values (${randomUUID()}, ${userId}, 1, ${params.nowMs}, ${params.worldMs})`.execute(tx);
  await fieldEncryption.createKey(userId);
  const addressEncrypted = await fieldEncryption.encrypt(userId, params.address);
  const salt = randomBytes(32);
  const saltEncrypted = await fieldEncryption.encrypt(userId, salt.toString("hex"));
  await sql`
    insert into user_address (user_id, address_index, address_encrypted, owner_salt_encrypted)
    values (${userId}, ${addressIndex}, ${addressEncrypted}, ${saltEncrypted})`.execute(tx);
  await insertOwner(tx, userId, computeOwnerCommitment(salt, params.address));
  return { userId, created: true };
}

/** A person who exists and was not deleted, as the console sees them. Real time. */
export interface PersonState {
  sinceMs: number;
  suspendedAtMs: number | null;
  /** How many are open. */
  sessions: number;
}

export async function readPerson(
  db: Db | Tx,
  userId: string,
  nowMs: number,
): Promise<PersonState | null> {
  const { rows } = await sql<{
    created_at_ms: bigint;
    suspended_at_ms: bigint | null;
    sessions: bigint;
  }>`
    select created_at_ms, suspended_at_ms, (
      select count(*) from user_session s
      where s.user_id = u.user_id and ${isOpen(nowMs)}
    ) as sessions
    from user_account u where user_id = ${userId} and erased_at_ms is null`.execute(db);
  const row = rows[0];
  if (!row) return null;
  return {
    sinceMs: Number(row.created_at_ms),
    suspendedAtMs: row.suspended_at_ms === null ? null : Number(row.suspended_at_ms),
    sessions: Number(row.sessions),
  };
}

/** The number of accounts created in `[fromMs, toMs)` of real time. */
export async function countAccounts(db: Db, fromMs: number, toMs: number): Promise<number> {
  const { rows } = await sql<{ count: bigint }>`
    select count(*) as count from user_account
    where created_at_ms >= ${fromMs} and created_at_ms < ${toMs}`.execute(db);
  return Number(rows[0]!.count);
}

/** The language in which the person last used the app. */
export async function readLanguage(db: Db | Tx, userId: string): Promise<Locale> {
  const { rows } = await sql<{ language: string }>`
    select language from user_account where user_id = ${userId}`.execute(db);
  return parseLanguage(rows[0]?.language);
}

/** The user of an address, in lower case; null if it never signed in. */
export async function findUserId(
  db: Db,
  fieldEncryption: FieldEncryption,
  address: string,
): Promise<string | null> {
  const addressIndex = await fieldEncryption.blindIndex(addressUse, address);
  const { rows } = await sql<{ user_id: string }>`
    select user_id from user_address where address_index = ${addressIndex}`.execute(db);
  return rows[0]?.user_id ?? null;
}
