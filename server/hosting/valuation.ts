import { sql } from "kysely";
import { worthOf } from "#server/hosting/views.ts";
import type { Db } from "#server/platform/db/database.ts";

/**
 * What an attempt has hosted at a world time, in minor units of pUSDT: its units at the marks of
 * that time, and subscriptions awaiting one.
 */
export async function hostedAt(db: Db, attemptId: string, atMs: number): Promise<bigint> {
  const { rows } = await sql<{ units: bigint; waiting: bigint; nav: bigint | null }>`
    select
      coalesce(sum(case o.action when 'subscribe' then o.units else -o.units end)
        filter (where o.outcome = 'executed' and o.mark_at_ms <= ${atMs}), 0)::bigint as units,
      coalesce(sum(o.amount) filter (where o.action = 'subscribe' and (o.outcome is null or o.mark_at_ms > ${atMs})), 0)::bigint
        as waiting,
      (select m.nav from hosting_mark m where m.pool_id = o.pool_id and m.at_ms <= ${atMs} order by m.at_ms desc limit 1) as nav
    from hosting_order o where o.attempt_id = ${attemptId} and o.accepted_at_ms <= ${atMs} group by o.pool_id`.execute(
    db,
  );
  return rows.reduce(
    (sum, { units, waiting, nav }) => sum + waiting + (nav === null ? 0n : worthOf(units, nav)),
    0n,
  );
}
