import { sql } from "kysely";
import type { Coin } from "#core/money/coins.ts";
import type { Db } from "#server/platform/db/database.ts";

/**
 * Stakes and fees of an attempt's contract orders that were open at a moment of world time (null:
 * now).
 */
export async function openStakes(
  db: Db,
  attemptId: string,
  atMs: number | null,
): Promise<ReadonlyMap<Coin, bigint>> {
  const { rows } = await sql<{ open: bigint }>`
    select coalesce(sum(o.stake + o.fee), 0)::bigint as open
    from user_attempt a join contract_order o on o.user_id = a.user_id
    where a.attempt_id = ${attemptId} and o.attempt_id = ${attemptId}
      and case when ${atMs}::bigint is null then o.settled_at_ms is null
        else o.accepted_at_ms < ${atMs}::bigint and (o.settled_at_ms is null or o.settled_at_ms >= ${atMs}::bigint) end`.execute(
    db,
  );
  return new Map([["pUSDT", rows[0]!.open]]);
}
