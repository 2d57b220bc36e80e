import { sql } from "kysely";
import type { Db, Tx } from "#server/platform/db/database.ts";
import type { RecordExplanation } from "#server/records/types.ts";
import type { SendRow } from "#server/send/types.ts";

export interface RecipientRow {
  network: string;
  address: string;
  times: bigint;
  at_ms: bigint;
}

/** Addresses checked for look-alikes: the most recent ones a person sent to. */
const comparedMax = 500;

export async function readSend(db: Db, userId: string, id: string): Promise<SendRow | null> {
  const { rows } = await sql<SendRow>`
    select * from coin_send where journal_id = ${id} and user_id = ${userId}`.execute(db);
  return rows[0] ?? null;
}

/** A person's recipients, most recent first. */
export async function readRecipients(
  db: Db,
  userId: string,
  networks: readonly string[] | null,
  limit: number,
): Promise<RecipientRow[]> {
  const { rows } = await sql<RecipientRow>`
    select network, address, times, at_ms from send_recipient
    where user_id = ${userId} and (${networks}::text[] is null or network = any(${networks}::text[]))
    order by at_ms desc, address limit ${limit}`.execute(db);
  return rows;
}

export const readCompared = (db: Db, userId: string) =>
  readRecipients(db, userId, null, comparedMax);

export async function readRecipient(
  db: Db,
  userId: string,
  address: string,
): Promise<RecipientRow | null> {
  const { rows } = await sql<RecipientRow>`
    select network, address, times, at_ms from send_recipient
    where user_id = ${userId} and address = ${address}`.execute(db);
  return rows[0] ?? null;
}

/** Records a send and counts it for its recipient. */
export async function writeSend(tx: Tx, row: SendRow): Promise<void> {
  await sql`
    insert into coin_send (journal_id, user_id, attempt_id, to_user_id, to_attempt_id, coin, amount, network, from_address,
      to_address, at_ms)
    values (${row.journal_id}, ${row.user_id}, ${row.attempt_id}, ${row.to_user_id}, ${row.to_attempt_id}, ${row.coin},
      ${row.amount}, ${row.network}, ${row.from_address}, ${row.to_address}, ${row.at_ms})`.execute(
    tx,
  );
  await sql`
    insert into send_recipient as r (user_id, address, network, times, at_ms)
    values (${row.user_id}, ${row.to_address}, ${row.network}, 1, ${row.at_ms})
    on conflict (user_id, address) do update
    set times = r.times + 1, at_ms = greatest(r.at_ms, excluded.at_ms)`.execute(tx);
}

/** Both addresses, to both sides: never an id or a name. */
export async function explainSends(
  db: Db,
  journalIds: string[],
): Promise<Map<string, RecordExplanation>> {
  const { rows } = await sql<SendRow>`
    select * from coin_send where journal_id = any(${journalIds}::uuid[])`.execute(db);
  return new Map(
    rows.map(({ journal_id, network, from_address, to_address }) => [
      journal_id,
      { facts: { from_address, to_address, network } },
    ]),
  );
}
