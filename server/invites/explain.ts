import { sql } from "kysely";
import type { Db } from "#server/platform/db/database.ts";

/**
 * Explains rewards: that they are for an invitation, and when the lesson was finished. Does not
 * identify the other person.
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
