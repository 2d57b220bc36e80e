import { sql } from "kysely";
import type { AnswerOf, InputOf } from "#api/call.ts";
import type { getPoolResults } from "#api/hosting.ts";
import { computeBuyAndHoldValue } from "#core/hosting/buyAndHold.ts";
import { formatPusdt } from "#core/money/amount.ts";
import { readEarnings, readPoolHoldings } from "#server/hosting/holdings.ts";
import type { Pools } from "#server/hosting/pools.ts";
import type { AppContext } from "#server/platform/context.ts";
import type { Db } from "#server/platform/db/database.ts";

/**
 * An attempt's pools: current worth, earnings over a span, and the result of holding the coin
 * instead.
 */
export async function readPoolResults(
  ctx: AppContext,
  pools: Pools,
  attemptId: string,
  span: InputOf<typeof getPoolResults>,
): Promise<AnswerOf<typeof getPoolResults>["items"]> {
  const { db } = ctx.database;
  const [holdings, earnings, flows] = await Promise.all([
    readPoolHoldings(ctx, pools, attemptId),
    readEarnings(ctx, attemptId, null),
    readFlows(db, attemptId),
  ]);
  const earningsInSpan = earnings.filter(
    ({ dayMs }) => dayMs >= (span.from_ms ?? 0) && dayMs <= (span.to_ms ?? Number.MAX_SAFE_INTEGER),
  );
  return holdings.map(({ view, pool }) => {
    const days = earningsInSpan.filter(({ poolId }) => poolId === pool.id);
    const poolFlows = flows.filter((flow) => flow.pool_id === pool.id);
    const holdNow = poolFlows[0]?.hold_now ?? null;
    const { product_id, units, nav, value, waiting, paid_in, paid_out, result } = view;
    return {
      product_id,
      strategy: pool.config.strategy,
      units,
      nav,
      value,
      waiting,
      paid_in,
      paid_out,
      result,
      earned: formatPusdt(days.reduce((sum, day) => sum + day.earned, 0n)),
      fees: formatPusdt(days.reduce((sum, day) => sum + day.fees, 0n)),
      held_instead:
        holdNow === null ? null : formatPusdt(computeBuyAndHoldValue(poolFlows, holdNow)),
    };
  });
}

/** Executed orders as payments, with buy-and-hold's NAV at their mark and at the last one. */
async function readFlows(db: Db, attemptId: string) {
  const { rows } = await sql<{ pool_id: string; amount: bigint; hold: bigint; hold_now: bigint }>`
    select o.pool_id, case o.action when 'subscribe' then o.amount else -o.payout end as amount,
      m.hold, (
        select hold from hosting_mark n where n.pool_id = o.pool_id
        order by n.at_ms desc limit 1) as hold_now
    from hosting_order o join hosting_mark m on m.pool_id = o.pool_id and m.at_ms = o.mark_at_ms
    where o.attempt_id = ${attemptId} and o.outcome = 'executed' order by o.seq`.execute(db);
  return rows;
}
