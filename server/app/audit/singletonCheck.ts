import { sql } from "kysely";
import type { AuditCheck } from "#server/ledger/audit/audit.ts";

/**
 * A table that has one row has no second, which a statement could read instead once the constraint
 * is gone.
 */
export const singletonCheck: AuditCheck = async (tx, find) => {
  const { rows: tables } = await sql<{ name: string }>`
    select c.relname as name from pg_attribute a join pg_class c on c.oid = a.attrelid
    where a.attname = 'singleton' and not a.attisdropped and c.relkind = 'r'
      and c.relnamespace = current_schema()::regnamespace`.execute(tx);
  for (const { name } of tables) {
    const { rows } = await sql<{ same: boolean }>`
      select count(*) <= 1 and coalesce(bool_and(singleton), true) as same
      from ${sql.table(name)}`.execute(tx);
    if (!rows[0]!.same) find("world.singleton", `${name} has another row than its own`);
  }
};
