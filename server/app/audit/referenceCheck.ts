import { sql } from "kysely";
import type { AuditCheck } from "#server/ledger/audit/audit.ts";

/**
 * Checks that every reference between tables points to a row: a write that bypasses triggers also
 * bypasses foreign keys.
 */
export const createReferenceCheck: AuditCheck = async (tx, report) => {
  const { rows: references } = await sql<{
    name: string;
    from_table: string;
    to_table: string;
    from_columns: string[];
    to_columns: string[];
  }>`
    select o.conname as name, f.relname as from_table, t.relname as to_table,
      array(select a.attname::text from unnest(o.conkey) with ordinality k (number, at)
        join pg_attribute a on a.attrelid = o.conrelid and a.attnum = k.number order by at)
        as from_columns,
      array(select a.attname::text from unnest(o.confkey) with ordinality k (number, at)
        join pg_attribute a on a.attrelid = o.confrelid and a.attnum = k.number order by at)
        as to_columns
    from pg_constraint o join pg_class f on f.oid = o.conrelid join pg_class t on t.oid = o.confrelid
    where o.contype = 'f' and o.connamespace = current_schema()::regnamespace`.execute(tx);
  for (const { name, from_table: from, to_table: to, ...columns } of references) {
    const sources = columns.from_columns.map((column) => sql.ref(`f.${column}`));
    const targets = columns.to_columns.map((column) => sql.ref(`t.${column}`));
    const isSet = sources.map((column) => sql`${column} is not null`);
    const { rows } = await sql<{ lost: boolean }>`
      select exists (select from ${sql.table(from)} f
        where ${sql.join(isSet, sql` and `)} and not exists (
          select from ${sql.table(to)} t
          where (${sql.join(targets)}) = (${sql.join(sources)}))) as lost`.execute(tx);
    if (rows[0]!.lost) report("world.reference", `a row of ${from} names none of ${to} (${name})`);
  }
};
