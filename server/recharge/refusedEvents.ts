import { sql } from "kysely";
import type { Coin } from "#core/money/coins.ts";
import { countRows } from "#server/platform/db/countRows.ts";
import type { Db } from "#server/platform/db/database.ts";
import type { ReadEvents } from "#server/records/types.ts";

/** An attempt's refused recharges as events, newest first: nothing is posted for them. */
export function readRefusedRecharges(db: Db): ReadEvents {
  return async ({ userId, attemptId }, { before, after, limit }) => {
    const { rows } = await sql<{ id: string; at_ms: bigint; coin: Coin; reason: string }>`
      select id, over_at_ms as at_ms, coin, reason from recharge
      where user_id = ${userId} and attempt_id = ${attemptId} and outcome = 'refused'
        and (${before === null} or (over_at_ms, id) < (${before?.atMs ?? 0}, ${before?.id ?? null}::uuid))
        and (${after === null} or (over_at_ms, id) > (${after?.atMs ?? 0}, ${after?.id ?? null}::uuid))
      order by over_at_ms desc, id desc limit ${limit}`.execute(db);
    return rows.map(({ id, at_ms: atMs, coin, reason }) => ({
      id,
      type: "recharge.refused",
      atMs: Number(atMs),
      coin,
      amount: null,
      facts: { refused: reason },
      link: `/wallet-info?coin=${coin}&do=recharge&recharge=${id}`,
      receipt: null,
    }));
  };
}

/** Recharges that are not decided. */
export const countUndecided = (db: Db) =>
  countRows(
    db,
    sql<{
      count: number;
    }>`select count(*)::integer as count from recharge where over_at_ms is null`,
  );
