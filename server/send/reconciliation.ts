import { sql } from "kysely";
import type { AuditCheck } from "#server/ledger/audit/audit.ts";

/** Compares sends with what was posted for them. Reads all. */
export const reconcileSends: AuditCheck = async (tx, find) => {
  const { rows } = await sql<{ id: string }>`
    select s.journal_id as id from coin_send s left join journal j on j.id = s.journal_id
    where j.at_ms is distinct from s.at_ms or 2 <> (
      select count(*) from entry e join account a on a.id = e.account
      where e.journal_id = s.journal_id and a.coin = s.coin
        and (a.owner, a.attempt_id, e.amount) in
          ((s.user_id, s.attempt_id, -s.amount), (s.to_user_id, s.to_attempt_id, s.amount)))
    union all
    select j.id from journal j where j.kind = 'send.move'
      and not exists (select from coin_send s where s.journal_id = j.id)`.execute(tx);
  for (const { id } of rows) find("send.send", `${id} is not what was posted`);
};
