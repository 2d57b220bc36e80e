import type { DailyEarning } from "#api/hosting/holding.ts";
import type { HostingOrder } from "#api/hosting/order.ts";
import {
  readEarnings,
  readPoolHoldings,
  toEarningView,
  toHoldingsInfo,
} from "#server/hosting/holdings.ts";
import { requirePool } from "#server/hosting/place.ts";
import type { Pools } from "#server/hosting/pools.ts";
import type { Receipts } from "#server/hosting/receipt.ts";
import { listOrders, type OrderFilter, readOrder } from "#server/hosting/store.ts";
import type { OrderRow } from "#server/hosting/types.ts";
import { toOrderView } from "#server/hosting/views.ts";
import { ApiError } from "#server/platform/apiError.ts";
import { hasEnded } from "#server/platform/clock/clock.ts";
import type { AppContext } from "#server/platform/context.ts";

/** Queries for a person's own orders, holdings and earnings. */
export function createOrderQueries(
  ctx: AppContext,
  { pools, receipts }: { pools: Pools; receipts: Receipts },
) {
  const { database, clock, world } = ctx;
  const { db } = database;
  const views = async (rows: readonly OrderRow[]): Promise<HostingOrder[]> => {
    const poolList = await pools.all();
    return rows.map((row) => {
      const pool = poolList.find(({ id }) => id === row.pool_id)!;
      return toOrderView(row, pool, world, hasEnded(clock));
    });
  };
  const requireOrder = async (userId: string, orderId: string) => {
    const order = await readOrder(db, userId, orderId);
    if (!order) throw new ApiError("hosting.order_unknown");
    return order;
  };
  return {
    /** The user's order; throws `hosting.order_unknown`. */
    order: async (userId: string, orderId: string) =>
      (await views([await requireOrder(userId, orderId)]))[0]!,
    /** The order's row; null when there is none. */
    findOrder: (userId: string, orderId: string) => readOrder(db, userId, orderId),
    orders: async (userId: string, filter: OrderFilter) => {
      const rows = await listOrders(db, userId, filter);
      return { items: await views(rows), first: rows[0]?.seq ?? null };
    },
    orderReceipt: async (userId: string, orderId: string) =>
      receipts.order(await requireOrder(userId, orderId)),
    /** The orders in the receipt of a journal of hosting. */
    ordersOf: ({
      userId,
      kind,
      orderIds,
    }: {
      userId: string;
      kind: string;
      orderIds: readonly string[];
    }): Promise<object[]> =>
      Promise.all(
        orderIds.map(async (id) => {
          const row = await requireOrder(userId, id);
          return kind === "hosting.subscribe" ? receipts.bound(row) : receipts.order(row);
        }),
      ),
    info: async (attemptId: string) =>
      toHoldingsInfo(await readPoolHoldings(ctx, pools, attemptId)),
    /** Newest first. */
    earnings: async (attemptId: string, poolId: string | null): Promise<DailyEarning[]> => {
      if (poolId !== null) await requirePool(pools, poolId);
      const poolList = await pools.all();
      const days = await readEarnings(ctx, attemptId, poolId);
      return days
        .sort((a, b) => b.dayMs - a.dayMs || (a.poolId < b.poolId ? -1 : 1))
        .map((day) => toEarningView(day, poolList));
    },
  };
}
