import * as api from "#api/contracts.ts";
import { computeBinomialTailBp, luckFromOrders } from "#core/contracts/binomialTail.ts";
import { exposureCap } from "#core/contracts/exposure.ts";
import { stakeCoin } from "#core/contracts/stake.ts";
import { symbols } from "#core/market/symbols.ts";
import { formatPusdt } from "#core/money/amount.ts";
import { coinScale } from "#core/money/coins.ts";
import type { Contracts } from "#server/contracts/contracts.ts";
import { exposureKey } from "#server/contracts/orders/placeOrder.ts";
import { readCounts, readFollowed, readOwnTotals, writeFollow } from "#server/contracts/store.ts";
import type { Contract } from "#server/contracts/types.ts";
import { toContractView, toSelfLimitsView, toTierView } from "#server/contracts/views.ts";
import { idempotentRoute } from "#server/ledger/idempotentRoute.ts";
import { readLimitUsed } from "#server/ledger/limits.ts";
import { klineTuple } from "#server/market/push.ts";
import { requireDecimal } from "#server/platform/amount.ts";
import { ApiError } from "#server/platform/apiError.ts";
import type { App } from "#server/platform/http/context.ts";
import { toPage, toSlice } from "#server/platform/http/pagination.ts";
import { route } from "#server/platform/http/route.ts";

/** Mounts every call of `api/contracts.ts`. */
export function contractsRoutes(app: App, contracts: Contracts): void {
  mountReading(app, contracts);
  mountOrders(app, contracts);
  mountLimits(app, contracts);
}

async function requireContract(contracts: Contracts, contractId: string): Promise<Contract> {
  const contract = await contracts.catalogue.find(contractId);
  if (!contract) throw new ApiError("contracts.unknown");
  return contract;
}

async function toView(contracts: Contracts, contract: Contract, followed: ReadonlySet<string>) {
  const stats = await contracts.market.stats24h(contract.symbol);
  return toContractView(contract, contracts.latest(), stats, followed.has(contract.id));
}

function mountReading(app: App, contracts: Contracts): void {
  const { db } = contracts;
  const followedBy = async (userId: string | undefined) =>
    userId === undefined ? new Set<string>() : readFollowed(db, userId);

  route(app, api.getContractList, async ({ type }, { session }) => {
    if (type === "followed" && !session) throw new ApiError("session.required");
    const followedIds = await followedBy(session?.userId);
    const matchesType = ({ id, symbol }: Contract) =>
      type === "all" || (type === "followed" ? followedIds.has(id) : symbols[symbol].type === type);
    const matches = (await contracts.catalogue.all()).filter(matchesType);
    const listedFlags = await Promise.all(matches.map(({ symbol }) => contracts.isListed(symbol)));
    const listedContracts = matches.filter((_, index) => listedFlags[index]);
    return {
      items: await Promise.all(
        listedContracts.map((contract) => toView(contracts, contract, followedIds)),
      ),
      withdrawn: matches.filter((_, index) => !listedFlags[index]).map(({ id }) => id),
    };
  });

  route(app, api.getContractDetails, async ({ contract_id: id }, { session }) => {
    const contract = await requireContract(contracts, id);
    const followedIds = await followedBy(session?.userId);
    const { terms } = contract;
    const [view, usage, counts, ownCounts, placedCounts] = await Promise.all([
      toView(contracts, contract, followedIds),
      readLimitUsed(db, exposureKey(id)),
      readCounts(db),
      session ? readOwnTotals(db, session.userId, id) : null,
      session ? contracts.placedToday(session.userId, terms.tiers) : null,
    ]);
    const { won, lost, tied } = counts.get(id) ?? { won: 0, lost: 0, tied: 0 };
    return {
      ...view,
      terms: {
        terms_hash: terms.termsHash,
        version: terms.version,
        published_at_ms: terms.publishedAtMs,
        leaf: terms.leaf,
        tiers: terms.tiers.map((tier) =>
          toTierView(tier, placedCounts && (placedCounts.get(tier.seconds) ?? 0)),
        ),
      },
      exposure: { used: formatPusdt(usage), cap: formatPusdt(exposureCap) },
      instance: { settled: won + lost + tied, lost },
      mine: ownCounts && toOwnTotalsView(ownCounts),
    };
  });

  route(app, api.followContract, async ({ contract_id: id, follow }, { session }) => {
    await requireContract(contracts, id);
    await writeFollow(db, session.userId, id, follow);
    return { followed: follow };
  });

  route(
    app,
    api.getKlineData,
    async ({ contract_id: id, interval, before_ms: beforeMs, limit }) => {
      const { symbol } = await requireContract(contracts, id);
      const page = await contracts.market.klines(symbol, interval, beforeMs ?? null, limit);
      return {
        interval,
        price_scale: symbols[symbol].scale,
        items: page.items.map((item): api.Kline => [...klineTuple(symbol, item), item.beforeStart]),
        has_more: page.hasMore,
      };
    },
  );
}

function toOwnTotalsView({
  won,
  lost,
  tied,
  net,
}: {
  won: number;
  lost: number;
  tied: number;
  net: bigint;
}) {
  const decidedCount = won + lost;
  return {
    settled: decidedCount,
    won,
    tied,
    net: formatPusdt(net),
    luck_bp: decidedCount >= luckFromOrders ? computeBinomialTailBp(won, decidedCount) : null,
  };
}

function mountOrders(app: App, contracts: Contracts): void {
  idempotentRoute(app, contracts.ledger, api.placeOrder, {
    optimistic: true,
    boundHash: (answer) => answer.order_hash,
    find: async (id, { session }) => {
      const order = await contracts.findOrder(session.userId, id);
      return (
        order && {
          order_id: id,
          order_hash: order.order_hash,
          accepted_at_ms: Number(order.accepted_at_ms),
          stake: formatPusdt(order.stake),
          fee: formatPusdt(order.fee),
        }
      );
    },
    run: async (input, id, bodyHash, { session }) => {
      const params = {
        contractId: input.contract_id,
        direction: input.direction,
        stake: input.stake,
        tierSeconds: input.tier,
        termsHash: input.terms_hash,
      };
      const placement = await contracts.place(session, params, id, bodyHash);
      if (placement === "duplicate") {
        const order = await contracts.order(session.userId, id);
        const { order_hash, accepted_at_ms, stake, fee } = order;
        return { order_id: id, order_hash, accepted_at_ms, stake, fee };
      }
      return {
        order_id: id,
        order_hash: placement.orderHash,
        accepted_at_ms: placement.acceptedAtMs,
        stake: formatPusdt(placement.stake),
        fee: formatPusdt(placement.fee),
      };
    },
  });

  route(app, api.getOrderList, async (input, { session }) => {
    const { items, first } = await contracts.orders(session.userId, {
      contractId: input.contract_id ?? null,
      status: input.status ?? null,
      ...toSlice(input),
    });
    return toPage(input, items, first);
  });

  route(app, api.getLuck, (_input, { session }) => contracts.luck(session));
  route(app, api.getOrderResults, (span, { session }) => contracts.results(session, span));
  route(app, api.getOrderCosts, async ({ order_id: id }, { session }) => ({
    parts: await contracts.costs(session.userId, id),
  }));
  route(app, api.findOrderStatus, ({ order_id: id }, { session }) =>
    contracts.order(session.userId, id),
  );

  route(app, api.getReceipt, async ({ order_id: id }, { session }) => ({
    ...(await contracts.receipt(session.userId, id)),
  }));
}

function mountLimits(app: App, { limits }: Contracts): void {
  route(app, api.getSelfLimits, async (_input, { session }) =>
    toSelfLimitsView(await limits.read(session.userId)),
  );
  route(app, api.setLossLimit, async ({ daily_loss_limit: limit }, { session }) => {
    const lossLimit = limit === null ? null : requireDecimal(limit, coinScale(stakeCoin));
    return toSelfLimitsView(await limits.setLossLimit(session.userId, lossLimit));
  });
  route(app, api.excludeMyself, async ({ period }, { session }) =>
    toSelfLimitsView(await limits.exclude(session.userId, period)),
  );
}
