import { sql } from "kysely";
import { type RunningRow, readRunningByAttempt } from "#server/ledger/readRunningByAttempt.ts";
import { countRows } from "#server/platform/db/countRows.ts";
import type { Db } from "#server/platform/db/database.ts";

/** Leases with days left to work. */
export async function readOpenLeases(db: Db, attemptIds: string[]) {
  const { rows } = await sql<RunningRow>`
    select l.attempt_id, count(*) as count,
      max(l.start_ms + l.days_to_work * 86400000::bigint) as last_at_ms
    from mining_lease l
    where l.user_id in (
        select user_id from user_attempt where attempt_id = any(${attemptIds}::text[])
      )
      and l.attempt_id = any(${attemptIds}::text[]) and l.next_due_ms is not null
    group by l.attempt_id`.execute(db);
  return readRunningByAttempt(rows);
}

/** Leases of all people with days left to work. */
export const countOpenLeases = (db: Db) =>
  countRows(
    db,
    sql<{
      count: number;
    }>`select count(*)::integer as count from mining_lease where next_due_ms is not null`,
  );
