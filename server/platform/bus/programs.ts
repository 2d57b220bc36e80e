import { sql } from "kysely";
import type { Db } from "#server/platform/db/database.ts";

/**
 * The name of a bus's connection (`application_name`), by which programs on a database are counted.
 */
export const busName = "drydock-bus";
/** The connection name of a child process. */
export const childBusName = "drydock-bus-child";

/** Processes with a bus on this database, of any world. */
export async function countProcesses(db: Db): Promise<number> {
  return countBuses(db, [busName, childBusName]);
}

/** Programs with a bus on this database: a process and its children are one. */
export async function countPrograms(db: Db): Promise<number> {
  return countBuses(db, [busName]);
}

async function countBuses(db: Db, names: readonly string[]): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer from pg_stat_activity
    where application_name = any(${names}::text[]) and datname = current_database()`.execute(db);
  return rows[0]!.count;
}
