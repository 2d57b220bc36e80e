import { sql } from "kysely";
import { coinCodes } from "#core/money/coins.ts";
import type { AuditCheck } from "#server/ledger/audit/audit.ts";

/** Reports journals and limit rows of unknown kinds, because no domain's check reads them. */
export function createKindCheck(kinds: readonly string[], limits: readonly string[]): AuditCheck {
  return async (tx, report) => {
    const { rows } = await sql<{ kind: string; id: string }>`
      select kind, id from journal where kind <> all(${[...kinds]}::text[])`.execute(tx);
    for (const { kind, id } of rows) report("posting.kind", `journal ${id} is of the kind ${kind}`);
    const mismatched = await sql<{ id: string }>`
      select distinct e.journal_id as id from entry e
      where not exists (select from journal j where j.id = e.journal_id)
      union all
      select j.id from journal j
      where not exists (select from entry e where e.journal_id = j.id)`.execute(tx);
    for (const { id } of mismatched.rows)
      report("posting.entries", `journal ${id} and its entries are not both there`);
    const keys = await sql<{ key: string }>`
      select key from ledger_limit
      where split_part(key, ':', 1) <> all(${[...limits]}::text[])`.execute(tx);
    for (const { key } of keys.rows) report("limit.kind", `no rule has the limit ${key}`);
    const accounts = await sql<{ id: bigint }>`
      select id from account
      where coin <> all(${coinCodes}::text[]) or house <> (owner = 'house')
        or house <> (attempt_id = '') or house <> (kind not in ('wallet', 'held'))
        or house and (balance, version, owner_commitment) <> (0, 0, '')`.execute(tx);
    for (const { id } of accounts.rows) report("account.form", `account ${id} is of no kind`);
    const owners = await sql<{ id: bigint }>`
      select a.id from account a left join ledger_owner o on o.owner = a.owner
      where not a.house and a.owner_commitment <> ''
        and a.owner_commitment is distinct from o.owner_commitment`.execute(tx);
    for (const { id } of owners.rows)
      report("account.owner", `account ${id} is tied to another wallet than its owner`);
  };
}
