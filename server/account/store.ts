import { sql } from "kysely";
import type { Db, Tx } from "#server/platform/db/database.ts";

/** A row of `account_deletion`. */
export interface Deletion {
  user_id: string;
  receipt_id: string;
  asked_at_ms: bigint;
  attempt_ids: string[];
  sessions_ended: number;
  withdrawals: string[];
  recharges: string[];
  erased: { what: string; at_ms: number }[];
  finished_at_ms: bigint | null;
  swept_at_ms: bigint | null;
}

export async function readByReceipt(db: Db, receiptId: string): Promise<Deletion | null> {
  const { rows } = await sql<Deletion>`
    select * from account_deletion where receipt_id = ${receiptId}`.execute(db);
  return rows[0] ?? null;
}

export async function readDeletion(db: Db | Tx, userId: string): Promise<Deletion | null> {
  const { rows } = await sql<Deletion>`
    select * from account_deletion where user_id = ${userId}`.execute(db);
  return rows[0] ?? null;
}

/**
 * Keeps an exclusion under an address's blind index, for a new account of the same wallet to take
 * over.
 */
export async function insertRetainedExclusion(
  tx: Tx,
  addressIndex: Uint8Array,
  exclusion: { for_good: boolean; until_ms: number | null },
): Promise<void> {
  await sql`
    insert into account_exclusion (address_index, until_ms, for_good)
    values (${Buffer.from(addressIndex)}, ${exclusion.until_ms}, ${exclusion.for_good})
    on conflict (address_index) do update set until_ms = excluded.until_ms, for_good = excluded.for_good`.execute(
    tx,
  );
}

/** The exclusion stored under an address's blind index; null if none is still in force. */
export async function readRetainedExclusion(
  db: Db,
  addressIndex: Uint8Array,
  realMs: number,
): Promise<{ for_good: boolean; until_ms: number | null } | null> {
  const { rows } = await sql<{ until_ms: bigint | null; for_good: boolean }>`
    select until_ms, for_good from account_exclusion
    where address_index = ${Buffer.from(addressIndex)} and (for_good or until_ms > ${realMs})`.execute(
    db,
  );
  const [row] = rows;
  if (!row) return null;
  return { for_good: row.for_good, until_ms: row.until_ms === null ? null : Number(row.until_ms) };
}

export async function deleteRetainedExclusion(db: Db, addressIndex: Uint8Array): Promise<void> {
  await sql`
    delete from account_exclusion where address_index = ${Buffer.from(addressIndex)}`.execute(db);
}

export async function insertDeletion(
  tx: Tx,
  deletion: Pick<
    Deletion,
    "user_id" | "receipt_id" | "attempt_ids" | "sessions_ended" | "withdrawals" | "recharges"
  > & { realMs: number },
): Promise<Deletion> {
  const { rows } = await sql<Deletion>`
    insert into account_deletion
      (user_id, receipt_id, asked_at_ms, attempt_ids, sessions_ended, withdrawals, recharges)
    values (${deletion.user_id}, ${deletion.receipt_id}, ${deletion.realMs}, ${deletion.attempt_ids}::text[],
      ${deletion.sessions_ended}, ${deletion.withdrawals}::uuid[], ${deletion.recharges}::uuid[])
    returning *`.execute(tx);
  return rows[0]!;
}

/** Records that a holding was erased; only the first time is kept. */
export async function setErased(db: Db, userId: string, dataName: string, atMs: number) {
  const item = JSON.stringify([{ what: dataName, at_ms: atMs }]);
  await sql`
    update account_deletion set erased = erased || ${item}::jsonb
    where user_id = ${userId} and not erased @> ${JSON.stringify([{ what: dataName }])}::jsonb`.execute(
    db,
  );
}

export async function setFinished(db: Db, userId: string, atMs: number): Promise<void> {
  await sql`
    update account_deletion set finished_at_ms = coalesce(finished_at_ms, ${atMs})
    where user_id = ${userId}`.execute(db);
}
