import { sql } from "kysely";
import type { AuditCheck } from "#server/ledger/audit/audit.ts";

/** Compares the terms in a table, which has `terms_hash`, `body` and `leaf`, with their leaves. */
export function createTermsCheck(table: string): AuditCheck {
  return async (tx, report) => {
    const { rows } = await sql<{ leaf: bigint }>`
      select t.leaf from ${sql.table(table)} t left join log_leaf l on l.leaf = t.leaf
      where l.kind is distinct from 3 or substring(l.bytes from 12) <> convert_to(t.body, 'UTF8')
        or sha256(convert_to(t.body, 'UTF8')) <> t.terms_hash
        or case when t.body is json then (t.body::jsonb ->> 'version')::integer end
          is distinct from t.version`.execute(tx);
    for (const { leaf } of rows) report(`${table}.leaf`, `leaf ${leaf} has other terms`);
  };
}

/** Every leaf with terms has its row in one of the tables: none was deleted. */
export const createAllTermsCheck: AuditCheck = async (tx, report) => {
  const { rows } = await sql<{ leaf: bigint }>`
    select leaf from log_leaf l where kind = 3
      and not exists (select from contract_terms t where t.leaf = l.leaf)
      and not exists (select from hosting_terms t where t.leaf = l.leaf)
      and not exists (select from mining_terms t where t.leaf = l.leaf)`.execute(tx);
  for (const { leaf } of rows) report("terms.leaf", `the terms of leaf ${leaf} have no row`);
};
