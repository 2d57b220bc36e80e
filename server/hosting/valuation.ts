import { sql } from "kysely";
import { computeUnitsWorth } from "#server/hosting/views.ts";
import type { Db } from "#server/platform/db/database.ts";

/**
 * The value that an attempt had hosted at world times, in minor units of pUSDT and their order: its
 * units at the marks of that time, and subscriptions awaiting one.
 */
export async function valueHoldings(
  db: Db,
  attemptId: string,
  moments: readonly number[],
): Promise<bigint[]> {
  const { rows } = await sql<{ place: bigint; units: bigint; waiting: bigint; nav: bigint | null }>`
    select t.place,
      coalesce(sum(case o.action when 'subscribe' then o.units else -o.units end)
        filter (where o.outcome = 'executed' and o.mark_at_ms <= t.at_ms), 0)::bigint as units,
      coalesce(sum(o.amount) filter (where o.action = 'subscribe' and (o.outcome is null or o.mark_at_ms > t.at_ms)), 0)::bigint
        as waiting,
      (select m.nav from hosting_mark m where m.pool_id = o.pool_id and m.at_ms <= t.at_ms order by m.at_ms desc limit 1) as nav
    from unnest(${[...moments]}::bigint[]) with ordinality t (at_ms, place)
      join hosting_order o on o.attempt_id = ${attemptId} and o.accepted_at_ms <= t.at_ms
    group by t.place, t.at_ms, o.pool_id`.execute(db);
  const sums = moments.map(() => 0n);
  for (const { place, units, waiting, nav } of rows) {
    sums[Number(place) - 1]! += waiting + (nav === null ? 0n : computeUnitsWorth(units, nav));
  }
  return sums;
}
