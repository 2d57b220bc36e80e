import * as api from "#api/hosting.ts";
import { pusdt } from "#core/money/amount.ts";
import type { Hosting } from "#server/hosting/hosting.ts";
import type { OrderRow } from "#server/hosting/types.ts";
import { unitsText } from "#server/hosting/views.ts";
import { moneyRoute } from "#server/ledger/idempotentRoute.ts";
import { Refusal } from "#server/platform/apiError.ts";
import type { App } from "#server/platform/http/context.ts";
import { route } from "#server/platform/http/route.ts";

/** Mounts every call of `api/hosting.ts`. */
export function hostingRoutes(app: App, hosting: Hosting): void {
  mountPools(app, hosting);
  mountMoney(app, hosting);
  mountMine(app, hosting);
  mountReceipts(app, hosting);
}

interface Paging {
  page: number;
  page_size: number;
  before?: string | undefined;
}

/** The number a page's cursor stands for; null without one. */
function cursorOf({ before }: Paging): bigint | null {
  if (before === undefined) return null;
  if (!/^[0-9]{1,18}$/.test(before)) throw new Refusal("request.malformed", { field: "before" });
  return BigInt(before);
}

/** A page out of one item more than it has. */
function pageOf<Item>(
  items: Item[],
  { page, page_size: size, before }: Paging,
  first: string | null,
) {
  return {
    items: items.slice(0, size),
    page,
    page_size: size,
    has_more: items.length > size,
    before: before ?? first,
  };
}

function mountPools(app: App, hosting: Hosting): void {
  route(app, api.getProductList, async ({ product_id: id }, { session }) => ({
    items: await hosting.products(session?.attemptId ?? null, id),
    not_offered: hosting.pools.notOffered().map(({ plan, missing }) => ({
      product_id: plan.id,
      strategy: plan.config.strategy,
      missing,
    })),
  }));
  route(app, api.getNavHistory, ({ product_id: id, range }) => hosting.navHistory(id, range));
  route(app, api.getTrades, async ({ product_id: id, ...paging }) => {
    const upTo = cursorOf(paging);
    const items = await hosting.trades(id, {
      upTo: upTo === null ? null : Math.min(Number(upTo), 2 ** 31 - 1),
      limit: paging.page_size + 1,
      offset: (paging.page - 1) * paging.page_size,
    });
    return pageOf(items, paging, items[0] ? String(items[0].number) : null);
  });
  route(app, api.getTrade, ({ trade_id: id }) => hosting.trade(id));
  route(app, api.getRun, ({ product_id: id }) => hosting.run(id));
}

function mountMoney(app: App, hosting: Hosting): void {
  const common = (row: OrderRow) => {
    const acceptedAtMs = Number(row.accepted_at_ms);
    return {
      order_id: row.id,
      order_hash: row.order_hash,
      accepted_at_ms: acceptedAtMs,
      mark_at_ms: hosting.markAfter(acceptedAtMs),
    };
  };
  const subscribed = (row: OrderRow) => ({ ...common(row), amount: pusdt(row.amount!) });
  const asked = (row: OrderRow) => ({ ...common(row), units: unitsText(row.units!) });
  moneyRoute(app, hosting.ledger, api.trusteeshipProduct, {
    postsFirst: true,
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
  moneyRoute(app, hosting.ledger, api.redeem, {
    postsFirst: true,
    find: async (id, { session }) => {
      const row = await hosting.findOrder(session.userId, id);
      return row && asked(row);
    },
    run: async ({ product_id: poolId, units, attempt_id: of }, id, bodyHash, { session }) => {
      const owner = await hosting.ownAttempt(session, of);
      return asked(await hosting.redeem(owner, { poolId, units }, id, bodyHash));
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
      upToSeq: cursorOf(paging),
      limit: paging.page_size + 1,
      offset: (paging.page - 1) * paging.page_size,
    });
    return pageOf(items, paging, first === null ? null : String(first));
  });
  route(app, api.findOrder, ({ order_id: id }, { session }) => hosting.order(session.userId, id));
  route(app, api.getDailyEarnings, async ({ product_id: id, ...paging }, { session }) => {
    const newest = cursorOf(paging);
    const all = await hosting.earnings(session.attemptId, id ?? null);
    const found = newest === null ? all : all.filter((one) => BigInt(one.day_at_ms) <= newest);
    const from = (paging.page - 1) * paging.page_size;
    return pageOf(
      found.slice(from, from + paging.page_size + 1),
      paging,
      found[0] ? String(found[0].day_at_ms) : null,
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
