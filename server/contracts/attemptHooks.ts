import { sql } from "kysely";
import type { Coin } from "#core/money/coins.ts";
import { type RunningRow, readRunningByAttempt } from "#server/ledger/readRunningByAttempt.ts";
import { countRows } from "#server/platform/db/countRows.ts";
import type { Db } from "#server/platform/db/database.ts";

/**
 * Open orders of attempts: their number, and the latest delivery among those whose entry is known.
 */
export async function readOpenOrders(db: Db, attemptIds: string[]) {
  const { rows } = await sql<RunningRow>`
    select o.attempt_id, count(*) as count,
      max(o.accepted_at_ms + o.tier_seconds * 1000) as last_at_ms
    from contract_order o
    where o.user_id in (
        select user_id from user_attempt where attempt_id = any(${attemptIds}::text[])
      )
      and o.attempt_id = any(${attemptIds}::text[]) and o.settled_at_ms is null
    group by o.attempt_id`.execute(db);
  return readRunningByAttempt(rows);
}

/** Fees of an attempt's orders; those of void orders were returned. */
export async function readOrderFees(db: Db, attemptId: string): Promise<ReadonlyMap<Coin, bigint>> {
  const { rows } = await sql<{ fee: bigint }>`
    select coalesce(sum(o.fee), 0)::bigint as fee from contract_order o
    where o.user_id in (select user_id from user_attempt where attempt_id = ${attemptId})
      and o.attempt_id = ${attemptId} and o.outcome is distinct from 'void'`.execute(db);
  return new Map([["pUSDT", rows[0]!.fee]]);
}

/** Unsettled orders of all people. */
export const countOpenOrders = (db: Db) =>
  countRows(
    db,
    sql<{
      count: number;
    }>`select count(*)::integer as count from contract_order where settled_at_ms is null`,
  );
