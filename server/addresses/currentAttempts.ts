import { sql } from "kysely";
import type { Tx } from "#server/platform/db/database.ts";

/**
 * Locks and returns people's current attempts, by user id. They stay current until the transaction
 * ends, because starting over references the locked row. Rows are locked in sorted order, so that
 * two people sending to each other do not deadlock.
 */
export async function lockCurrentAttempts(tx: Tx, userIds: string[]): Promise<Map<string, string>> {
  const sorted = [...new Set(userIds)].sort();
  await sql`
    select user_id from user_account where user_id = any(${sorted}::text[]) order by user_id for update`.execute(
    tx,
  );
  const { rows } = await sql<{ user_id: string; attempt_id: string }>`
    select distinct on (user_id) user_id, attempt_id from user_attempt
    where user_id = any(${sorted}::text[]) order by user_id, number desc`.execute(tx);
  return new Map(rows.map((row) => [row.user_id, row.attempt_id]));
}
