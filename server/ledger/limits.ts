import { sql } from "kysely";
import type { Db, Tx } from "#server/platform/db/database.ts";

/** What is used of a limit row; 0 before its first use. */
export async function readLimitUsed(db: Db | Tx, key: string): Promise<bigint> {
  return (await readLimitsUsed(db, [key])).get(key) ?? 0n;
}

/** What is used of limit rows, by key; those that were never used are missing. */
export async function readLimitsUsed(
  db: Db | Tx,
  keys: readonly string[],
): Promise<Map<string, bigint>> {
  const { rows } = await sql<{ key: string; used: bigint }>`
    select key, used from ledger_limit where key = any(${[...keys]}::text[])`.execute(db);
  return new Map(rows.map(({ key, used }) => [key, used]));
}

/** What is used of all limit rows whose key begins so, by key in order. */
export async function readLimitsOf(
  db: Db | Tx,
  prefix: string,
): Promise<{ key: string; used: bigint }[]> {
  const { rows } = await sql<{ key: string; used: bigint }>`
    select key, used from ledger_limit where key like ${`${prefix}%`} order by key`.execute(db);
  return rows;
}
