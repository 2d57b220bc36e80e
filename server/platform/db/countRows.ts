import type { RawBuilder } from "kysely";
import type { Db } from "#server/platform/db/database.ts";

/** The count that a statement of one row returns. */
export async function countRows(db: Db, statement: RawBuilder<{ count: number }>): Promise<number> {
  const { rows } = await statement.execute(db);
  return rows[0]!.count;
}
