import { sql } from "kysely";
import { lockKey, type Tx } from "#server/platform/db/database.ts";

/**
 * The readers-writer lock between accepting and closing a second. Whoever accepts something at a
 * world time takes it shared, reads the clock after that, and commits; the feed takes it
 * exclusively while it closes seconds. So what was accepted at t is in the database before the
 * first second after t closes. It is released when the transaction ends.
 */
export async function lockShared(tx: Tx, schema: string): Promise<void> {
  await sql`select pg_advisory_xact_lock_shared(${lockKey(schema, "gate")}::bigint)`.execute(tx);
}

/**
 * Waits until every shared holder has committed, and blocks new ones until this transaction ends.
 */
export async function lockExclusive(tx: Tx, schema: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(${lockKey(schema, "gate")}::bigint)`.execute(tx);
}
