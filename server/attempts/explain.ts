import { sql } from "kysely";
import type { Db } from "#server/platform/db/database.ts";
import type { RecordExplanation } from "#server/records/types.ts";

/** Explains starting balances by the attempt they began. */
export async function explainStarts(
  db: Db,
  journalIds: string[],
): Promise<Map<string, RecordExplanation>> {
  const { rows } = await sql<{ id: string; number: number }>`
    select j.id, t.number from journal j join user_attempt t on t.attempt_id = j.about
    where j.id = any(${journalIds}::uuid[]) and j.kind = 'attempt.start'`.execute(db);
  return new Map(
    rows.map(({ id, number }) => [
      id,
      { facts: { attempt_number: number }, link: "/wallet?do=attempts" },
    ]),
  );
}
