import { sql } from "kysely";
import type { Db } from "#server/platform/db/database.ts";

/**
 * The average costs of an attempt's settled orders, in minor units: their fees, and half of the
 * amount by which the payout of a won order falls short of its stake, as for coin flips. Void
 * orders cost nothing; ties only their fee.
 */
export async function readOrderCosts(
  db: Db,
  attemptId: string,
): Promise<{ fees: bigint; spread: bigint }> {
  const { rows } = await sql<{ fees: bigint; spread: bigint }>`
    select coalesce(sum(o.fee), 0)::bigint as fees,
      coalesce(div(sum(o.stake - o.profit) filter (where o.outcome <> 'tie'), 2), 0)::bigint as spread
    from user_attempt a join contract_order o on o.user_id = a.user_id
    where a.attempt_id = ${attemptId} and o.attempt_id = ${attemptId}
      and o.outcome in ('won', 'lost', 'tie')`.execute(db);
  return rows[0]!;
}
