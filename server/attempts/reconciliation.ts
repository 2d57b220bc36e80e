import { sql } from "kysely";
import { attemptStart, startingBalance } from "#core/ledger/chart.ts";
import { compareClosings } from "#server/attempts/closingCheck.ts";
import type { AuditCheck } from "#server/ledger/audit/audit.ts";
import { comparePostings } from "#server/ledger/audit/explainedPostings.ts";

/**
 * Compares attempts with the accounts of the ledger, whose owners are part of their chains, with
 * their starting balances and with the closings between them. Reads all.
 */
export const reconcileAttempts: AuditCheck = async (tx, report) => {
  await comparePostings(
    tx,
    report,
    [attemptStart],
    sql`select ${attemptStart}::text as kind, attempt_id as ref, attempt_id,
        'wallet' as account_kind, 'pUSDT' as coin, ${startingBalance}::bigint as amount
      from user_attempt t
      where exists (select from account a where a.attempt_id = t.attempt_id and a.version > 0)`,
  );
  const { rows } = await sql<{ id: string }>`
    select distinct a.attempt_id as id from account a
    where not a.house and not exists (select from user_attempt t
      where t.attempt_id = a.attempt_id and t.user_id = a.owner)
    union
    select t.attempt_id from user_attempt t
    where not exists (select from user_account u where u.user_id = t.user_id
      and (t.number > 1 or t.opened_at_ms = u.created_at_ms))
    union
    select owner from ledger_owner o
    where not exists (select from user_account u where u.user_id = o.owner)
    union
    select user_id from user_account u
    where not exists (select from user_attempt t where t.user_id = u.user_id)
    union
    select attempt_id from (
      select attempt_id, number, row_number() over (partition by user_id order by number) as nth
      from user_attempt) n where number <> nth`.execute(tx);
  for (const { id } of rows) report("attempts.attempt", `${id} is not what its accounts say`);
  const closings = await sql<{ id: string }>`
    select c.attempt_id as id from attempt_closing c
      left join user_attempt t on t.attempt_id = c.attempt_id
      left join user_attempt n on n.attempt_id = c.next_attempt_id
    where (n.user_id, n.number, n.opened_at_ms, n.opened_at_world_ms) is distinct from
      (t.user_id, t.number + 1, c.closed_at_ms, c.closed_at_world_ms)
    union all
    select t.attempt_id from user_attempt t
    where t.number > 1 and not exists (
      select from attempt_closing c where c.next_attempt_id = t.attempt_id)`.execute(tx);
  for (const { id } of closings.rows)
    report("attempts.closing", `${id} does not follow its closing`);
  await compareClosings(tx, report);
};
