import { sql } from "kysely";
import type { Db } from "#server/platform/db/database.ts";

/**
 * Opaque ids of everyone who joined a class by its link or a code, including deleted accounts,
 * oldest first.
 */
export async function readClassMembers(db: Db, classId: string): Promise<string[]> {
  const { rows } = await sql<{ user_id: string }>`
    select m.user_id from class_member m left join invitation i using (user_id)
    where m.class_id = ${classId} order by i.joined_at_ms, m.user_id`.execute(db);
  return rows.map((row) => row.user_id);
}

/** The class that a person joined; null if none. */
export async function readClassId(db: Db, userId: string): Promise<string | null> {
  const { rows } = await sql<{ class_id: string | null }>`
    select class_id from invitation where user_id = ${userId}`.execute(db);
  return rows[0]?.class_id ?? null;
}
