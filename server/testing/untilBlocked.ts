import { sql } from "kysely";
import type { Tx } from "#server/platform/db/database.ts";

/** Waits, inside a transaction, until another one waits for a row that it has locked. */
export async function untilBlocked(tx: Tx): Promise<void> {
  for (;;) {
    const { rows } = await sql<{ waiting: bigint }>`
      select count(*) as waiting from pg_locks
      where not granted and transactionid = pg_current_xact_id()::xid`.execute(tx);
    if (rows[0]!.waiting > 0n) return;
  }
}
