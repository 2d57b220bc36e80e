import { sql } from "kysely";
import { isUuid } from "#core/ledger/uuid.ts";
import { dayMs } from "#core/money/time.ts";
import type { Db } from "#server/platform/db/database.ts";

/** A subscription is judged by the first mark after a week of world time. */
const resolvedAfterMs = 7 * dayMs;

/**
 * The person's subscriptions that beliefs are about. Right: a week after its mark a unit is worth
 * more than it cost there.
 */
export async function readBeliefSubjects(db: Db, userId: string, ids: readonly string[]) {
  const { rows } = await sql<{
    id: string;
    attempt_id: string;
    accepted_at_ms: bigint;
    pool_id: string;
    outcome: "executed" | "returned" | null;
    nav: bigint | null;
    later: bigint | null;
  }>`
    select id, attempt_id, accepted_at_ms, pool_id, outcome, nav, (
      select m.nav from hosting_mark m
      where m.pool_id = o.pool_id and m.at_ms >= o.mark_at_ms + ${resolvedAfterMs}
      order by m.at_ms limit 1) as later
    from hosting_order o
    where user_id = ${userId} and action = 'subscribe' and id = any(${ids.filter(isUuid)}::uuid[])`.execute(
    db,
  );
  return rows.map((row) => ({
    orderId: row.id,
    attemptId: row.attempt_id,
    acceptedAtMs: Number(row.accepted_at_ms),
    outcome: getOutcome(row),
    market: null,
    productId: row.pool_id,
  }));
}

function getOutcome({
  outcome,
  nav,
  later,
}: {
  outcome: "executed" | "returned" | null;
  nav: bigint | null;
  later: bigint | null;
}): "right" | "wrong" | "none" | null {
  if (outcome === "returned") return "none";
  if (nav === null || later === null) return null;
  return later > nav ? "right" : "wrong";
}
