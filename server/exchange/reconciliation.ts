import { sql } from "kysely";
import type { AuditCheck } from "#server/ledger/audit/audit.ts";
import { comparePostings } from "#server/ledger/audit/explainedPostings.ts";

/** Compares exchanges with what was posted for them. Reads all. */
export const reconcileExchanges: AuditCheck = async (tx, find) => {
  await comparePostings(
    tx,
    find,
    ["exchange.execute"],
    sql`select 'exchange.execute' as kind, quote_id::text as ref, attempt_id,
        'wallet' as account_kind, from_coin as coin, -given as amount from exchange
      union all select 'exchange.execute', quote_id::text, attempt_id, 'wallet', to_coin, received
        from exchange`,
  );
  const { rows } = await sql<{ id: string }>`
    select x.journal_id as id from exchange x join journal j on j.id = x.journal_id
    where j.at_ms <> x.at_ms or (
      select array_agg((t.coin, t.sum) order by t.coin) from (
        select a.coin, sum(e.amount) as sum from entry e join account a on a.id = e.account
        where e.journal_id = x.journal_id and (a.owner, a.attempt_id) = (x.user_id, x.attempt_id)
        group by a.coin) t)
      is distinct from (
      select array_agg((t.coin, t.sum) order by t.coin)
      from (values (x.from_coin, -x.given::numeric), (x.to_coin, x.received::numeric)) t (coin, sum))
    union all
    select x.journal_id from exchange x
      where not exists (select from journal j where j.id = x.journal_id)
    union all
    select j.id from journal j where j.kind = 'exchange.execute'
      and not exists (select from exchange x where x.journal_id = j.id)`.execute(tx);
  for (const { id } of rows) find("exchange.exchange", `${id} is not what was posted`);
};
