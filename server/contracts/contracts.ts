import type { Order } from "#api/contracts.ts";
import type { MarketSymbol } from "#core/market/symbols.ts";
import { createCatalogue } from "#server/contracts/catalogue.ts";
import {
  createOrderPlacement,
  exposureKey,
  latestPrices,
} from "#server/contracts/orders/placeOrder.ts";
import { createSelfLimits } from "#server/contracts/orders/selfLimits.ts";
import { pushOrders } from "#server/contracts/push.ts";
import { buildReceipt } from "#server/contracts/receipt.ts";
import { createBeforeAppend } from "#server/contracts/settlement/closeSecond.ts";
import { createSettlement } from "#server/contracts/settlement/settlement.ts";
import {
  countAccepted,
  countSettled,
  listOrders,
  type OrderFilter,
  readContractsOn,
  readCounts,
  readNeededFrom,
  readOrder,
  readOrders,
  writeContractsOn,
} from "#server/contracts/store.ts";
import type { ContractsDeps, OrderRow } from "#server/contracts/types.ts";
import { orderView, symbolOf } from "#server/contracts/views.ts";
import { ApiError } from "#server/platform/apiError.ts";
import type { AppContext } from "#server/platform/context.ts";

/**
 * Up/down contracts on the server. `beforeAppend` goes to the feed as a closer; settlement runs by
 * itself behind
 * `second.closed` (loop `contracts.settle`), `settleDue` does the same at once.
 */
export function createContracts(ctx: AppContext, deps: ContractsDeps) {
  const { db } = ctx.database;
  const catalogue = createCatalogue(ctx, deps.transparencyLog);
  const limits = createSelfLimits(ctx);
  const view = async (rows: readonly OrderRow[]): Promise<Order[]> => {
    const contracts = await catalogue.all();
    const nowMs = ctx.clock.nowMs();
    return rows.map((row) =>
      orderView(row, symbolOf(contracts, row.contract_id), ctx.world, nowMs),
    );
  };
  const requireOrder = async (userId: string, orderId: string) => {
    const order = await readOrder(db, userId, orderId);
    if (!order) throw new ApiError("contracts.order_unknown");
    return order;
  };
  if (deps.hub) {
    pushOrders(ctx, deps.hub, async (ids) => view(await readOrders(db, ids)));
  }
  const { settleDue, jobs } = createSettlement(ctx, deps.ledger);
  return {
    jobs,
    ledger: deps.ledger,
    catalogue,
    limits,
    publish: catalogue.publish,
    /** Whether new orders are taken on a symbol's contract. */
    isListed: async (symbol: MarketSymbol) =>
      (await deps.listings?.isListed("contract_tiers", symbol)) ?? true,
    place: createOrderPlacement(ctx, deps, catalogue, limits),
    beforeAppend: createBeforeAppend(ctx),
    settleDue,
    /**
     * From which second on the market's seconds are still needed to settle; null when no order is
     * due at any time.
     */
    neededFromMs: () => readNeededFrom(db),
    market: deps.market,
    /** The last closed second while it is fresh; null otherwise. */
    latest: () => latestPrices(ctx, deps.market),
    /** The user's order; throws `contracts.order_unknown`. */
    order: async (userId: string, orderId: string) =>
      (await view([await requireOrder(userId, orderId)]))[0]!,
    /** The same as a row; null when there is none. */
    findOrder: (userId: string, orderId: string) => readOrder(db, userId, orderId),
    orders: async (userId: string, filter: Omit<OrderFilter, "nowMs">) => {
      const rows = await listOrders(db, userId, { ...filter, nowMs: ctx.clock.nowMs() });
      return { items: await view(rows), first: rows[0]?.seq ?? null };
    },
    receipt: async (userId: string, orderId: string) => {
      const order = await requireOrder(userId, orderId);
      const contract = symbolOf(await catalogue.all(), order.contract_id);
      return buildReceipt(ctx, deps, catalogue, order, contract);
    },
    /** The limit row of each contract that counts what the house may have to pay. */
    exposures: async () =>
      (await catalogue.all()).map(({ id, symbol }) => ({
        contractId: id,
        symbol,
        key: exposureKey(id),
      })),
    /** Whether this instance offers contracts. */
    areOn: () => readContractsOn(db),
    /**
     * For an operator's action, in its transaction; false when they stood so already. Orders that
     * run are settled by their terms.
     */
    switchTo: writeContractsOn,
    /**
     * Orders of this instance that were won, lost or tied, and those of them that lost, over all
     * contracts.
     */
    counts: async () => {
      const all = [...(await readCounts(db)).values()];
      const lost = all.reduce((sum, one) => sum + one.lost, 0);
      return { settled: all.reduce((sum, one) => sum + one.won + one.tied, lost), lost };
    },
    countAccepted: (fromWorldMs: number, toWorldMs: number) =>
      countAccepted(db, fromWorldMs, toWorldMs),
    countSettled: (fromRealMs: number, toRealMs: number) => countSettled(db, fromRealMs, toRealMs),
    db,
  };
}
export type Contracts = ReturnType<typeof createContracts>;
