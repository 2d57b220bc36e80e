import * as api from "#api/hosting.ts";
import { formatPusdt } from "#core/money/amount.ts";
import type { Hosting } from "#server/hosting/hosting.ts";
import type { OrderRow } from "#server/hosting/types.ts";
import { formatUnits } from "#server/hosting/views.ts";
import { idempotentRoute } from "#server/ledger/idempotentRoute.ts";
import type { App } from "#server/platform/http/context.ts";
import { toPage, toSlice } from "#server/platform/http/pagination.ts";
import { route } from "#server/platform/http/route.ts";

/** Mounts every call of `api/hosting.ts`. */
export function hostingRoutes(app: App, hosting: Hosting): void {
  mountPools(app, hosting);
  mountMoney(app, hosting);
  mountMine(app, hosting);
  mountReceipts(app, hosting);
}

function mountPools(app: App, hosting: Hosting): void {
  route(app, api.getProductList, async ({ product_id: id }, { session }) => ({
    items: await hosting.products(session?.attemptId ?? null, id),
    not_offered: hosting.pools.notListed().map(({ plan, missing }) => ({
      product_id: plan.id,
      strategy: plan.config.strategy,
      missing,
    })),
  }));
  route(app, api.getNavHistory, ({ product_id: id, range }) => hosting.navHistory(id, range));
  route(app, api.getTrades, async ({ product_id: id, ...paging }) => {
    const { upToSeq: upTo, limit, offset } = toSlice(paging);
    const items = await hosting.trades(id, {
      upTo: upTo === null ? null : Math.min(Number(upTo), 2 ** 31 - 1),
      limit,
      offset,
    });
    return toPage(paging, items, items[0]?.number ?? null);
  });
  route(app, api.getTrade, ({ trade_id: id }) => hosting.trade(id));
  route(app, api.getRun, ({ product_id: id }) => hosting.run(id));
  route(app, api.getHistoryTest, ({ product_id: id }) => hosting.historyTest(id));
}

function mountMoney(app: App, hosting: Hosting): void {
  const toCommonFields = (row: OrderRow) => {
    const acceptedAtMs = Number(row.accepted_at_ms);
    return {
      order_id: row.id,
      order_hash: row.order_hash,
      accepted_at_ms: acceptedAtMs,
      mark_at_ms: hosting.markAfter(acceptedAtMs),
    };
  };
  const subscribed = (row: OrderRow) => ({
    ...toCommonFields(row),
    amount: formatPusdt(row.amount!),
  });
  const redeemed = (row: OrderRow) => ({ ...toCommonFields(row), units: formatUnits(row.units!) });
  const boundHash = (answer: { order_hash: string }) => answer.order_hash;
  idempotentRoute(app, hosting.ledger, api.trusteeshipProduct, {
    optimistic: true,
    boundHash,
    find: async (id, { session }) => {
      const row = await hosting.findOrder(session.userId, id);
      return row && subscribed(row);
    },
    run: async (input, id, bodyHash, { session }) => {
      const { product_id: poolId, amount, terms_hash: termsHash } = input;
      return subscribed(
        await hosting.subscribe(session, { poolId, amount, termsHash }, id, bodyHash),
      );
    },
  });
  idempotentRoute(app, hosting.ledger, api.redeem, {
    optimistic: true,
    boundHash,
    find: async (id, { session }) => {
      const row = await hosting.findOrder(session.userId, id);
      return row && redeemed(row);
    },
    run: async ({ product_id: poolId, units, attempt_id: of }, id, bodyHash, { session }) => {
      const owner = await hosting.ownAttempt(session, of);
      return redeemed(await hosting.redeem(owner, { poolId, units }, id, bodyHash));
    },
  });
}

function mountMine(app: App, hosting: Hosting): void {
  route(app, api.findTrusteeshipInfo, async ({ attempt_id: of }, { session }) =>
    hosting.info((await hosting.ownAttempt(session, of)).attemptId),
  );
  route(app, api.getOrderList, async ({ product_id: id, status, ...paging }, { session }) => {
    const { items, first } = await hosting.orders(session.userId, {
      poolId: id ?? null,
      status: status ?? null,
      ...toSlice(paging),
    });
    return toPage(paging, items, first);
  });
  route(app, api.getPoolResults, async (span, { session }) => ({
    items: await hosting.results(session.attemptId, span),
  }));
  route(app, api.findOrder, ({ order_id: id }, { session }) => hosting.order(session.userId, id));
  route(app, api.getDailyEarnings, async ({ product_id: id, ...paging }, { session }) => {
    const { upToSeq: newest, limit, offset } = toSlice(paging);
    const earnings = await hosting.earnings(session.attemptId, id ?? null);
    const visibleDays =
      newest === null ? earnings : earnings.filter((item) => BigInt(item.day_at_ms) <= newest);
    return toPage(
      paging,
      visibleDays.slice(offset, offset + limit),
      visibleDays[0]?.day_at_ms ?? null,
    );
  });
}

function mountReceipts(app: App, hosting: Hosting): void {
  route(app, api.getReceipt, ({ order_id: id }, { session }) =>
    hosting.orderReceipt(session.userId, id),
  );
  route(app, api.getTradeReceipt, ({ trade_id: id }) => hosting.tradeReceipt(id));
  route(app, api.getMarkReceipt, ({ product_id: id, at_ms: atMs }) =>
    hosting.markReceipt(id, atMs),
  );
}
