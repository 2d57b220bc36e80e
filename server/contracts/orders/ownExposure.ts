import { sql } from "kysely";
import { decideExposure, exposureShare } from "#core/contracts/exposure.ts";
import { ApiError } from "#server/platform/apiError.ts";
import { batchReads } from "#server/platform/db/batchReads.ts";
import type { Db } from "#server/platform/db/database.ts";
import { createPendingAmounts } from "#server/platform/pendingAmounts.ts";

/**
 * Runs `work`, which places an order that would pay `profit` net, with the cap that applies to the
 * contract's exposure. Throws `contracts.own_exposure_full` when the person's share is used up.
 */
export type WithExposureCap = <Result>(
  order: { userId: string; contractId: string; profit: bigint },
  work: (cap: bigint) => Promise<Result>,
) => Promise<Result>;

/**
 * One person's share of a contract's exposure, by their open orders and those under way in this
 * process. Read before the order posts and not locked: orders that another process takes at the
 * same moment are seen by the next one only.
 */
export function createOwnExposure(db: Db): WithExposureCap {
  const inFlight = createPendingAmounts();
  const openProfit = batchReads<string, bigint>(async (keys) => {
    const pairs = keys.map((key) => key.split(" "));
    const { rows } = await sql<{ key: string; profit: bigint }>`
      select p.user_id || ' ' || p.contract_id as key, o.profit
      from unnest(${pairs.map(([userId]) => userId)}::text[],
          ${pairs.map(([, contractId]) => contractId)}::text[]) p (user_id, contract_id)
        cross join lateral (
          select coalesce(sum(profit), 0)::bigint as profit from contract_order
          where user_id = p.user_id and contract_id = p.contract_id and settled_at_ms is null
        ) o`.execute(db);
    return new Map(rows.map(({ key, profit }) => [key, profit]));
  });
  return async ({ userId, contractId, profit }, work) => {
    const key = `${userId} ${contractId}`;
    return inFlight(key, profit, async (otherProfit) => {
      const result = decideExposure(((await openProfit(key)) ?? 0n) + otherProfit, profit);
      if (!result.ok)
        throw new ApiError("contracts.own_exposure_full", { maximum: Number(exposureShare) / 1e6 });
      return work(result.cap);
    });
  };
}
