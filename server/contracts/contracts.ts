import type { Order } from "#api/contracts.ts";
import type { Tier } from "#core/contracts/terms.ts";
import { isUuid } from "#core/ledger/uuid.ts";
import type { MarketSymbol } from "#core/market/symbols.ts";
import { createCatalogue } from "#server/contracts/catalogue.ts";
import { readLuck } from "#server/contracts/luck.ts";
import { readDecidedOrders, readOrderResults } from "#server/contracts/orderResults.ts";
import {
  createOrderPlacement,
  exposureKey,
  latestPrices,
  readPlacedToday,
} from "#server/contracts/orders/placeOrder.ts";
import { createSelfLimits } from "#server/contracts/orders/selfLimits.ts";
import { pushOrders } from "#server/contracts/push.ts";
import { buildBoundOrder, buildReceipt } from "#server/contracts/receipt.ts";
import { readResultCosts } from "#server/contracts/resultCosts.ts";
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
import { getSymbol, toOrderView } from "#server/contracts/views.ts";
import { ApiError } from "#server/platform/apiError.ts";
import type { AppContext } from "#server/platform/context.ts";

/**
 * Up/down contracts on the server. The feed calls `beforeAppend` for each batch of seconds;
 * settlement runs after `second.closed` in the loop `contracts.settle`, and `settleDue` runs it at
 * once.
 */
export function createContracts(ctx: AppContext, deps: ContractsDeps) {
  const { db } = ctx.database;
  const catalogue = createCatalogue(ctx, deps.transparencyLog);
  const limits = createSelfLimits(ctx);
  const view = async (rows: readonly OrderRow[]): Promise<Order[]> => {
    const contracts = await catalogue.all();
    const nowMs = ctx.clock.nowMs();
    return rows.map((row) =>
      toOrderView(row, getSymbol(contracts, row.contract_id), ctx.world, nowMs),
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
    isOffered: (symbol: MarketSymbol, tiers: readonly Tier[]) => catalogue.isOffered(symbol, tiers),
    /** Returns true if a symbol's contract accepts new orders. */
    isListed: async (symbol: MarketSymbol) =>
      (await deps.listings?.isListed("contract_tiers", symbol)) ?? true,
    place: createOrderPlacement(ctx, deps, catalogue, limits),
    /** How many orders of each of these tiers the person has placed this real day. */
    placedToday: (userId: string, tiers: readonly Pick<Tier, "seconds">[]) =>
      readPlacedToday(ctx, deps.ledger, userId, tiers),
    beforeAppend: createBeforeAppend(ctx),
    settleDue,
    /**
     * The earliest market second still needed for settlement; null when no open order has a
     * delivery time.
     */
    neededFromMs: () => readNeededFrom(db),
    market: deps.market,
    /** The last closed second while it is fresh; null otherwise. */
    latest: () => latestPrices(ctx, deps.market),
    /** The user's order; throws `contracts.order_unknown`. */
    order: async (userId: string, orderId: string) =>
      (await view([await requireOrder(userId, orderId)]))[0]!,
    /** The order's row; null when there is none. */
    results: (
      attemptOwner: { userId: string; attemptId: string },
      params: Parameters<typeof readOrderResults>[2],
    ) => readOrderResults(db, attemptOwner, params),
    decidedOrders: (userIds: readonly string[]) => readDecidedOrders(db, userIds),
    luck: (owner: { userId: string; attemptId: string }) => readLuck(db, owner),
    costs: async (userId: string, orderId: string) => {
      const order = await requireOrder(userId, orderId);
      const { symbol } = getSymbol(await catalogue.all(), order.contract_id);
      return readResultCosts(ctx, order, symbol);
    },
    /** The subjects of beliefs (docs/rules/beliefs.md). */
    beliefSubjects: async (userId: string, ids: readonly string[]) => {
      const contracts = await catalogue.all();
      const orders = await readOrders(db, ids.filter(isUuid));
      return orders
        .filter((order) => order.user_id === userId)
        .map((order) => ({
          orderId: order.id,
          attemptId: order.attempt_id,
          acceptedAtMs: Number(order.accepted_at_ms),
          outcome: beliefOutcome(order.outcome),
          market: {
            symbol: getSymbol(contracts, order.contract_id).symbol,
            direction: order.direction,
          },
          productId: null,
        }));
    },
    findOrder: (userId: string, orderId: string) => readOrder(db, userId, orderId),
    orders: async (userId: string, filter: Omit<OrderFilter, "nowMs">) => {
      const rows = await listOrders(db, userId, { ...filter, nowMs: ctx.clock.nowMs() });
      return { items: await view(rows), first: rows[0]?.seq ?? null };
    },
    receipt: async (userId: string, orderId: string) => {
      const order = await requireOrder(userId, orderId);
      const contract = getSymbol(await catalogue.all(), order.contract_id);
      return buildReceipt(ctx, deps, catalogue, order, contract);
    },
    /** The orders in the receipt of a journal of contracts. */
    ordersOf: async ({
      userId,
      kind,
      orderIds,
    }: {
      userId: string;
      kind: string;
      orderIds: readonly string[];
    }): Promise<object[]> => {
      const contracts = await catalogue.all();
      const build = kind === "contract.open" ? buildBoundOrder : null;
      return Promise.all(
        orderIds.map(async (id) => {
          const order = await requireOrder(userId, id);
          const contract = getSymbol(contracts, order.contract_id);
          return build
            ? build(ctx, deps, order, contract)
            : buildReceipt(ctx, deps, catalogue, order, contract);
        }),
      );
    },
    /** The limit row of each contract, which counts the most that the house may have to pay. */
    exposures: async () =>
      (await catalogue.all()).map(({ id, symbol }) => ({
        contractId: id,
        symbol,
        key: exposureKey(id),
      })),
    /** Returns true if this instance offers contracts. */
    isEnabled: () => readContractsOn(db),
    /**
     * Runs in the transaction of an operator's action; false when nothing changed. Open orders are
     * still settled by their terms.
     */
    setEnabled: writeContractsOn,
    /**
     * Number of orders of this instance that were won, lost or tied, and of those lost, over all
     * contracts.
     */
    counts: async () => {
      const countsList = [...(await readCounts(db)).values()];
      const lost = countsList.reduce((sum, contractCounts) => sum + contractCounts.lost, 0);
      return {
        settled: countsList.reduce(
          (sum, contractCounts) => sum + contractCounts.won + contractCounts.tied,
          lost,
        ),
        lost,
      };
    },
    countAccepted: (fromWorldMs: number, toWorldMs: number) =>
      countAccepted(db, fromWorldMs, toWorldMs),
    countSettled: (fromRealMs: number, toRealMs: number) => countSettled(db, fromRealMs, toRealMs),
    db,
  };
}

/** A tie and a void order say nothing about a belief. */
function beliefOutcome(outcome: OrderRow["outcome"]): "right" | "wrong" | "none" | null {
  if (outcome === null) return null;
  return outcome === "won" ? "right" : outcome === "lost" ? "wrong" : "none";
}
export type Contracts = ReturnType<typeof createContracts>;
