import { sql } from "kysely";
import type { Db, Tx } from "#server/platform/db/database.ts";

/** The used amount of a limit row; 0 before its first use. */
export async function readLimitUsed(db: Db | Tx, key: string): Promise<bigint> {
  return (await readLimitsUsed(db, [key])).get(key) ?? 0n;
}

/** Used amounts of limit rows by key; rows never used are missing. */
export async function readLimitsUsed(
  db: Db | Tx,
  keys: readonly string[],
): Promise<Map<string, bigint>> {
  const { rows } = await sql<{ key: string; used: bigint }>`
    select key, used from ledger_limit where key = any(${[...keys]}::text[])`.execute(db);
  return new Map(rows.map(({ key, used }) => [key, used]));
}

/** Used amounts of all limit rows whose key starts with `prefix`, ordered by key. */
export async function readLimits(
  db: Db | Tx,
  prefix: string,
): Promise<{ key: string; used: bigint }[]> {
  const { rows } = await sql<{ key: string; used: bigint }>`
    select key, used from ledger_limit where key like ${`${prefix}%`} order by key`.execute(db);
  return rows;
}
