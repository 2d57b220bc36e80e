import { sql } from "kysely";
import { countRows } from "#server/platform/db/countRows.ts";
import type { Db } from "#server/platform/db/database.ts";

interface EventCursor {
  atMs: number;
  id: string;
}

/**
 * A person's decided verifications as events, newest first, since the attempt began: the decision
 * and its reason, without the submitted data.
 */
export function readReviewed(db: Db) {
  return async (
    { userId, attemptId }: { userId: string; attemptId: string },
    {
      before,
      after,
      limit,
    }: { before: EventCursor | null; after: EventCursor | null; limit: number },
  ) => {
    const { rows } = await sql<{
      id: string;
      at_ms: bigint;
      outcome: "verified" | "refused";
      reason: string | null;
    }>`
      select v.id, v.over_at_ms as at_ms, v.outcome, v.reason
      from identity_verification v join user_attempt a on a.attempt_id = ${attemptId}
      where v.user_id = ${userId} and v.over_at_ms >= a.opened_at_world_ms
        and (${before === null} or (v.over_at_ms, v.id) < (${before?.atMs ?? 0}, ${before?.id ?? null}::uuid))
        and (${after === null} or (v.over_at_ms, v.id) > (${after?.atMs ?? 0}, ${after?.id ?? null}::uuid))
      order by v.over_at_ms desc, v.id desc limit ${limit}`.execute(db);
    return rows.map(({ id, at_ms: atMs, outcome, reason }) => ({
      id,
      type: `identity.${outcome}`,
      atMs: Number(atMs),
      coin: null,
      amount: null,
      facts: reason === null ? {} : { reviewed: reason },
      link: "/real_name",
      receipt: null,
    }));
  };
}

/** Verifications that are not decided, or whose picture and texts are still there. */
export const countKept = (db: Db) =>
  countRows(
    db,
    sql<{ count: number }>`select count(*)::integer as count from identity_verification
      where purged_real_ms is null`,
  );
