import { sql } from "kysely";
import type { ReportFinding } from "#server/ledger/audit/replay.ts";
import type { Tx } from "#server/platform/db/database.ts";

/**
 * Real milliseconds by which a posting's time may differ from the order in which postings became
 * visible: two batches may be in progress concurrently.
 */
const slackMs = 2_000;

/**
 * Compares an attempt's holdings at its closing with its entries up to then, and the prices they
 * were valued at with the index of that second.
 */
export async function compareClosings(tx: Tx, report: ReportFinding): Promise<void> {
  const balances = await sql<{ id: string; coin: string }>`
    with stated as (
      select c.attempt_id, k.coin, (c.balances ->> k.coin)::numeric as held,
        c.closed_at_world_ms as at_ms, ${slackMs} * w.speed as slack_ms
      from attempt_closing c cross join world w cross join lateral (
        select distinct a.coin from account a where a.attempt_id = c.attempt_id
        union select jsonb_object_keys(c.balances)) k),
    moved as (
      select a.attempt_id, a.coin, j.id, j.at_ms, sum(e.amount) as amount
      from attempt_closing c join account a on a.attempt_id = c.attempt_id
        join entry e on e.account = a.id join journal j on j.id = e.journal_id
      group by 1, 2, 3, 4),
    running as (
      select attempt_id, coin, at_ms, sum(amount) over in_turn as held,
        lead(at_ms) over in_turn as next_ms
      from moved window in_turn as (partition by attempt_id, coin order by at_ms, id))
    select s.attempt_id as id, s.coin from stated s
    where not exists (
        select from account a where (a.attempt_id, a.coin) = (s.attempt_id, s.coin))
      or not exists (
        select from running r
        where (r.attempt_id, r.coin) = (s.attempt_id, s.coin) and r.held = coalesce(s.held, 0)
          and r.at_ms <= s.at_ms + s.slack_ms
          and (r.next_ms is null or r.next_ms >= s.at_ms - s.slack_ms))
      and (coalesce(s.held, 0) <> 0 or exists (
        select from moved m where (m.attempt_id, m.coin) = (s.attempt_id, s.coin)
          and m.at_ms < s.at_ms - s.slack_ms))`.execute(tx);
  for (const { id, coin } of balances.rows)
    report("attempts.closing", `${id} did not hold that much ${coin} when it was closed`);
  const prices = await sql<{ id: string }>`
    select c.attempt_id as id from attempt_closing c
      left join market_second s on s.second_ms = c.priced_at_ms
    where case
      when c.priced_at_ms is null then c.index <> '{}'
      -- Seconds before the oldest that is kept were removed since.
      when s.second_ms is null
        then c.priced_at_ms >= (select min(second_ms) from market_second)
      else c.index <> (
        select coalesce(jsonb_object_agg(e.value ->> 'name', s.index[e.place]::text), '{}')
        from world, json_array_elements(world.symbols) with ordinality e (value, place)
        where s.index[e.place] is not null) end`.execute(tx);
  for (const { id } of prices.rows)
    report("attempts.closing", `${id} was valued at other prices than its second has`);
}
