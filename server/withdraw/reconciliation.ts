import { sql } from "kysely";
import type { AuditCheck } from "#server/ledger/audit/audit.ts";

/** Compares withdrawals with what was held for them and with how the hold ended. Reads all. */
export const reconcileWithdrawals: AuditCheck = async (tx, find) => {
  const { rows } = await sql<{ id: string }>`
    select w.id from withdrawal w left join hold h on h.id = w.id
    where not exists (
        select from entry e join account a on a.id = e.account
        where e.journal_id = w.id and e.amount = -w.amount and a.kind = 'wallet'
          and (a.owner, a.attempt_id, a.coin) = (w.user_id, w.attempt_id, w.coin))
      or (h.state = 'pending') is distinct from (w.outcome is null)
      or h.closed_by is distinct from w.ended_journal
    union all
    select j.id from journal j where j.kind = 'withdraw.place'
      and not exists (select from withdrawal w where w.id = j.id)`.execute(tx);
  for (const { id } of rows) find("withdraw.withdrawal", `${id} is not what was held and paid`);
};
