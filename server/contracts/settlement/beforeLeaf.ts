import { sql } from "kysely";
import { leafKinds } from "#core/transparency-log/leaf.ts";
import type { Db } from "#server/platform/db/database.ts";

/**
 * The last second of the log before the leaf that binds an order, or 0 (the world leaf) when there
 * was none yet: it shows that the order was not held back. Read from the log itself, which keeps
 * every second permanently.
 */
export async function readBeforeLeaf(db: Db, boundLeaf: number): Promise<number> {
  const { rows } = await sql<{ leaf: bigint }>`
    select leaf from log_leaf where leaf < ${boundLeaf} and kind = ${leafKinds.second}
    order by leaf desc limit 1`.execute(db);
  return Number(rows[0]?.leaf ?? 0);
}
