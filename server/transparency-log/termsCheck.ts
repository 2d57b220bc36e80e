import { sql } from "kysely";
import type { AuditCheck } from "#server/ledger/audit/audit.ts";

/** Compares the terms in a table, which has `terms_hash`, `body` and `leaf`, with their leaves. */
export function termsCheck(table: string): AuditCheck {
  return async (tx, find) => {
    const { rows } = await sql<{ leaf: bigint }>`
      select t.leaf from ${sql.table(table)} t left join log_leaf l on l.leaf = t.leaf
      where l.kind is distinct from 3 or substring(l.bytes from 12) <> convert_to(t.body, 'UTF8')
        or sha256(convert_to(t.body, 'UTF8')) <> t.terms_hash`.execute(tx);
    for (const { leaf } of rows) find(`${table}.leaf`, `leaf ${leaf} has other terms`);
  };
}
