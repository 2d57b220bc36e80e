import { sql } from "kysely";
import type { ReportFinding } from "#server/ledger/audit/replay.ts";
import type { Tx } from "#server/platform/db/database.ts";

/** Compares holdings, and the units ever requested for redemption, with the orders. */
export async function compareHoldings(tx: Tx, report: ReportFinding): Promise<void> {
  const { rows } = await sql<{ attempt_id: string; pool_id: string }>`
    with made as (
      select attempt_id, pool_id, min(user_id) as user_id,
        coalesce(sum(units) filter (where action = 'subscribe'), 0) as bought,
        coalesce(sum(units) filter (where action = 'redeem' and outcome is not null), 0) as redeemed,
        coalesce(sum(units) filter (where action = 'redeem' and outcome is null), 0) as blocked,
        coalesce(sum(amount) filter (where action = 'subscribe' and outcome is null), 0) as waiting,
        coalesce(sum(amount) filter (where action = 'subscribe'
          and outcome is distinct from 'returned'), 0) as paid_in,
        coalesce(sum(payout) filter (where action = 'redeem'), 0) as paid_out,
        coalesce(sum(fee), 0) as fees
      from hosting_order group by attempt_id, pool_id)
    select coalesce(h.attempt_id, made.attempt_id) as attempt_id,
      coalesce(h.pool_id, made.pool_id) as pool_id
    from hosting_holding h full join made
      on made.attempt_id = h.attempt_id and made.pool_id = h.pool_id
    where (h.user_id, h.bought, h.redeemed, h.blocked, h.waiting, h.paid_in, h.paid_out, h.fees)
      is distinct from (made.user_id, made.bought, made.redeemed, made.blocked, made.waiting,
        made.paid_in, made.paid_out, made.fees)`.execute(tx);
  for (const { attempt_id: attempt, pool_id: pool } of rows)
    report("hosting.holding", `what ${attempt} holds of ${pool} is not what its orders give`);
  const limits = await sql<{ key: string; used: bigint; asked: bigint }>`
    select coalesce(l.key, o.key) as key, coalesce(l.used, 0) as used,
      coalesce(o.asked, 0)::bigint as asked
    from (select key, used from ledger_limit where key like 'hosting.asked:%') l
      full join (
        select 'hosting.asked:' || attempt_id || ':' || pool_id as key, sum(units) as asked
        from hosting_order where action = 'redeem' group by attempt_id, pool_id) o
      on o.key = l.key
    where coalesce(l.used, 0) <> coalesce(o.asked, 0)`.execute(tx);
  for (const { key, used, asked } of limits.rows)
    report("hosting.limit", `${key} counts ${used}, its orders ${asked}`);
}

/** Compares a pool's row with holdings and its last mark, and its days with its marks. */
export async function comparePools(tx: Tx, report: ReportFinding): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    select p.id from hosting_pool p
      left join (select pool_id, sum(bought - redeemed) as units,
          count(*) filter (where bought > redeemed) as holders
        from hosting_holding group by pool_id) h on h.pool_id = p.id
      left join lateral (select at_ms, leaf, nav from hosting_mark m where m.pool_id = p.id
        order by at_ms desc limit 1) m on true
      left join journal j on j.kind = 'hosting.seed' and j.about = p.id
      left join entry e on e.journal_id = j.id and e.about = p.id
    where p.units <> p.house_units + coalesce(h.units, 0) or p.holders <> coalesce(h.holders, 0)
      or (p.nav, p.mark_at_ms, p.mark_leaf) is distinct from (m.nav, m.at_ms, m.leaf)
      or p.started_at_ms > m.at_ms or p.gap_at_ms < m.at_ms
      or p.seed is distinct from e.amount
      or p.house_units <> p.seed * 100`.execute(tx);
  for (const { id } of rows)
    report("hosting.pool", `${id} is not what its marks and holdings give`);
  const missingPools = await sql<{ pool_id: string }>`
    select pool_id from (select pool_id from hosting_terms union select pool_id from hosting_order
      union select pool_id from hosting_mark) t
    where not exists (select from hosting_pool p where p.id = t.pool_id)`.execute(tx);
  for (const { pool_id: pool } of missingPools.rows) report("hosting.pool", `${pool} is missing`);
  const days = await sql<{ pool_id: string; day_ms: bigint }>`
    with made as (
      select pool_id, at_ms - at_ms % 86400000 as day_ms,
        (array_agg(nav order by at_ms desc))[1] as nav_close
      from hosting_mark group by 1, 2),
    chained as (
      select *, coalesce(lag(nav_close) over (partition by pool_id order by day_ms), 100000000)
        as nav_open from made)
    select coalesce(d.pool_id, c.pool_id) as pool_id, coalesce(d.day_ms, c.day_ms) as day_ms
    from hosting_day d full join chained c on c.pool_id = d.pool_id and c.day_ms = d.day_ms
    where (d.nav_open, d.nav_close) is distinct from (c.nav_open, c.nav_close)`.execute(tx);
  for (const { pool_id: pool, day_ms: day } of days.rows)
    report("hosting.day", `the day ${day} of ${pool} is not what its marks give`);
}
