import { sql } from "kysely";
import type { AnswerOf } from "#api/call.ts";
import type { getLuck } from "#api/contracts.ts";
import {
  aheadMilestones,
  computeExpectedResultHalves,
  computeShareAheadBp,
} from "#core/contracts/shareAhead.ts";
import { formatPusdt } from "#core/money/amount.ts";
import type { Db } from "#server/platform/db/database.ts";

/**
 * An attempt's settled orders beside the distribution of pure chance, at the terms of the last
 * order.
 */
export async function readLuck(
  db: Db,
  { userId, attemptId }: { userId: string; attemptId: string },
): Promise<AnswerOf<typeof getLuck>> {
  const { rows } = await sql<{
    won: bigint;
    lost: bigint;
    tied: bigint;
    net: bigint;
    stake: bigint;
    profit: bigint;
    fee: bigint;
    rate_bp: number | null;
    fee_bp: number | null;
  }>`
    with own as (
      select * from contract_order
      where user_id = ${userId} and attempt_id = ${attemptId} and outcome in ('won', 'lost', 'tie')
    ), last as (select rate_bp, fee_bp from own order by seq desc limit 1)
    select count(*) filter (where outcome = 'won') as won,
      count(*) filter (where outcome = 'lost') as lost,
      count(*) filter (where outcome = 'tie') as tied,
      coalesce(sum(payout - stake - fee), 0)::bigint as net,
      coalesce(sum(stake) filter (where outcome <> 'tie'), 0)::bigint as stake,
      coalesce(sum(profit) filter (where outcome <> 'tie'), 0)::bigint as profit,
      coalesce(sum(fee), 0)::bigint as fee,
      (select rate_bp from last) as rate_bp, (select fee_bp from last) as fee_bp
    from own`.execute(db);
  const { won, lost, tied, net, rate_bp: rateBp, fee_bp: feeBp, ...sums } = rows[0]!;
  const decidedCount = Number(won + lost);
  const halves = computeExpectedResultHalves(sums);
  const counts = [decidedCount, ...aheadMilestones].filter(
    (count) => count >= decidedCount && count > 0,
  );
  return {
    decided: decidedCount,
    won: Number(won),
    tied: Number(tied),
    net: formatPusdt(net),
    // Half a minor unit is dropped from a gain and added to a loss.
    expected: formatPusdt((halves - (halves % 2n === 0n ? 0n : 1n)) / 2n),
    ahead:
      rateBp === null || feeBp === null
        ? []
        : [...new Set(counts)].map((orders) => ({
            orders,
            share_bp: computeShareAheadBp(orders, { rateBp, feeBp }),
          })),
  };
}
