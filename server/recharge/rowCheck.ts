import { sql } from "kysely";
import type { AuditCheck } from "#server/ledger/audit/audit.ts";
import { comparePostings } from "#server/ledger/audit/explainedPostings.ts";

/** Compares recharges with what was credited for them, and with their vouchers. Reads all. */
export const rechargeRowCheck: AuditCheck = async (tx, find) => {
  await comparePostings(
    tx,
    find,
    ["recharge.credit"],
    sql`select 'recharge.credit' as kind, id::text as ref, attempt_id, 'wallet' as account_kind,
        coin, amount from recharge where outcome = 'credited'`,
  );
  const { rows } = await sql<{ id: string }>`
    select r.id from recharge r left join journal j on j.id = r.journal_id
      left join voucher v on v.id = r.voucher_id
    where v.id is null
      or r.outcome = 'credited' and (j.at_ms is distinct from r.over_at_ms
        or (v.coin, v.network, v.amount) is distinct from (r.coin, r.network, r.amount)
        or v.used_at_ms is null)`.execute(tx);
  for (const { id } of rows) find("recharge.recharge", `${id} is not what was credited`);
};
