import type { NavPoint, Pool as PoolView } from "#api/hosting/pool.ts";
import { dayMs } from "#core/money/time.ts";
import { readPoolHoldings } from "#server/hosting/holdings.ts";
import { requirePool } from "#server/hosting/place.ts";
import type { Pools } from "#server/hosting/pools.ts";
import type { Receipts } from "#server/hosting/receipt.ts";
import { formatBp } from "#server/hosting/run/runEvents.ts";
import { listTrades, readMarks, readTrade } from "#server/hosting/store.ts";
import type { createPoolSummaries } from "#server/hosting/summaries.ts";
import { readTradeBooks, toTradeView } from "#server/hosting/trades.ts";
import type { HostingDeps } from "#server/hosting/types.ts";
import { formatNav, toPoolView } from "#server/hosting/views.ts";
import { ApiError } from "#server/platform/apiError.ts";
import type { AppContext } from "#server/platform/context.ts";

/** Maximum points of a history, slightly below the wire's limit. */
const historyPoints = 498;
const rangeMs = { hour: dayMs / 24, day: dayMs, week: 7 * dayMs, month: 30 * dayMs, all: null };

/** Public queries about pools. */
export function createPoolQueries(
  ctx: AppContext,
  deps: HostingDeps,
  {
    pools,
    cards,
    receipts,
  }: { pools: Pools; cards: ReturnType<typeof createPoolSummaries>; receipts: Receipts },
) {
  const { database, clock, world } = ctx;
  const { db } = database;
  const requireTrade = async (tradeId: string) => {
    const trade = await readTrade(db, tradeId);
    if (!trade) throw new ApiError("hosting.trade_unknown");
    return trade;
  };
  return {
    /** The cards of all pools, or of one; throws `hosting.unknown` when there is none. */
    products: async (attemptId: string | null, poolId?: string): Promise<PoolView[]> => {
      const shownPools =
        poolId === undefined ? await pools.all() : [await requirePool(pools, poolId)];
      const poolHoldings = attemptId === null ? [] : await readPoolHoldings(ctx, pools, attemptId);
      const facts = await cards.get("all");
      return shownPools.map((pool) => {
        const holding = poolHoldings.find(({ view }) => view.product_id === pool.id)?.view ?? null;
        return toPoolView(pool, world, { ...facts.of(pool.id), mine: holding });
      });
    },
    navHistory: async (poolId: string, range: keyof typeof rangeMs) => {
      const pool = await requirePool(pools, poolId);
      const lengthMs = rangeMs[range];
      const fromMs = lengthMs === null ? 0 : (pool.markAtMs ?? clock.nowMs()) - lengthMs;
      const { items, marks } = await readMarks(db, poolId, fromMs, historyPoints);
      const point = (markPoint: (typeof items)[number]): NavPoint => [
        Number(markPoint.at_ms),
        formatNav(markPoint.nav),
        formatNav(markPoint.hold),
        formatNav(markPoint.frictionless),
        formatNav(markPoint.harsh),
        formatBp(-markPoint.drawdown),
      ];
      return { marks, items: items.map(point) };
    },
    trades: async (poolId: string, filter: Parameters<typeof listTrades>[2]) => {
      await requirePool(pools, poolId);
      return (await listTrades(db, poolId, filter)).map(toTradeView);
    },
    trade: async (tradeId: string) => {
      const row = await requireTrade(tradeId);
      const books = await readTradeBooks(deps, world.name, row);
      return { trade: toTradeView(row), ...books };
    },
    tradeReceipt: async (tradeId: string) => receipts.trade(await requireTrade(tradeId)),
    markReceipt: receipts.mark,
  };
}
