import { sql } from "kysely";
import type { AuditCheck } from "#server/ledger/audit/audit.ts";

/**
 * Checks that a single-row table has no second row, which a statement could read if the constraint
 * were gone.
 */
export const createSingletonCheck: AuditCheck = async (tx, report) => {
  const { rows: tables } = await sql<{ name: string }>`
    select c.relname as name from pg_attribute a join pg_class c on c.oid = a.attrelid
    where a.attname = 'singleton' and not a.attisdropped and c.relkind = 'r'
      and c.relnamespace = current_schema()::regnamespace`.execute(tx);
  for (const { name } of tables) {
    const { rows } = await sql<{ same: boolean }>`
      select count(*) <= 1 and coalesce(bool_and(singleton), true) as same
      from ${sql.table(name)}`.execute(tx);
    if (!rows[0]!.same) report("world.singleton", `${name} has another row than its own`);
  }
};
