import { sql } from "kysely";
import type { Coin } from "#core/money/coins.ts";
import type { Db } from "#server/platform/db/database.ts";

/**
 * Stakes and fees of an attempt's contract orders that were open at moments of world time (null:
 * now), in their order.
 */
export async function readOpenStakes(
  db: Db,
  attemptId: string,
  moments: readonly (number | null)[],
): Promise<ReadonlyMap<Coin, bigint>[]> {
  const { rows } = await sql<{ open: bigint }>`
    select coalesce(sum(o.stake + o.fee), 0)::bigint as open
    from unnest(${[...moments]}::bigint[]) with ordinality m (at_ms, place)
      left join (
        select o.* from user_attempt a join contract_order o on o.user_id = a.user_id
        where a.attempt_id = ${attemptId} and o.attempt_id = ${attemptId}) o
      on case when m.at_ms is null then o.settled_at_ms is null
        else o.accepted_at_ms < m.at_ms and (o.settled_at_ms is null or o.settled_at_ms >= m.at_ms) end
    group by m.place order by m.place`.execute(db);
  return rows.map(({ open }) => new Map([["pUSDT", open]]));
}
