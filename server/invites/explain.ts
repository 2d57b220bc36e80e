import { sql } from "kysely";
import type { Db } from "#server/platform/db/database.ts";

/**
 * What stands behind rewards: that they are for an invitation, and when the lesson was finished.
 * Who the other is stays out.
 */
export async function explainRewards(db: Db, journalIds: string[]) {
  const { rows } = await sql<{ journal_id: string; lesson_at_ms: bigint }>`
    select journal_id, lesson_at_ms from invitation where journal_id = any(${journalIds}::uuid[])`.execute(
    db,
  );
  return new Map(
    rows.map((row) => [
      row.journal_id,
      {
        facts: { lesson_finished_at_ms: Number(row.lesson_at_ms) },
        link: "/uc-team",
      },
    ]),
  );
}
