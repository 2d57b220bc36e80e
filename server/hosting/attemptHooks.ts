import { sql } from "kysely";
import { type RunningRow, readRunningByAttempt } from "#server/ledger/readRunningByAttempt.ts";
import { countRows } from "#server/platform/db/countRows.ts";
import type { Db } from "#server/platform/db/database.ts";

/** Pools in which units are held, or subscribed for and waiting; they have no fixed end. */
export async function readOpenHoldings(db: Db, attemptIds: string[]) {
  const { rows } = await sql<RunningRow>`
    select h.attempt_id, count(*) as count, null::bigint as last_at_ms from hosting_holding h
    where h.attempt_id = any(${attemptIds}::text[]) and (h.bought > h.redeemed or h.waiting > 0)
    group by h.attempt_id`.execute(db);
  return readRunningByAttempt(rows);
}

/** Holdings of all people with units or a pending subscription. */
export const countOpenHoldings = (db: Db) =>
  countRows(
    db,
    sql<{ count: number }>`select count(*)::integer as count from hosting_holding
      where bought > redeemed or waiting > 0`,
  );
