import { sql } from "kysely";
import * as api from "#api/mining.ts";
import { computeSatoshiWorth } from "#core/mining/formula.ts";
import { getDayEnd, getLeaseStart } from "#core/mining/lease.ts";
import { formatPusdt } from "#core/money/amount.ts";
import { coinScale } from "#core/money/coins.ts";
import { toMinorUnits } from "#core/money/decimal.ts";
import { idempotentRoute } from "#server/ledger/idempotentRoute.ts";
import { readLimitsUsed } from "#server/ledger/limits.ts";
import { stockKey } from "#server/mining/leasing.ts";
import type { Mining } from "#server/mining/mining.ts";
import type { LeaseRow } from "#server/mining/types.ts";
import {
  formatPbtc,
  formatPrice,
  formatThs,
  toMachineView,
  toNetworkPoint,
  toNetworkView,
} from "#server/mining/views.ts";
import { ApiError } from "#server/platform/apiError.ts";
import type { App } from "#server/platform/http/context.ts";
import { toPage, toSlice } from "#server/platform/http/pagination.ts";
import { route } from "#server/platform/http/route.ts";

const historyDays = 90;
const openMax = 100;

/** Mounts every call of `api/mining.ts`. */
export function miningRoutes(app: App, mining: Mining): void {
  mountOffers(app, mining);
  mountMoney(app, mining);
  mountLeases(app, mining);
  mountPayouts(app, mining);
}

function mountOffers(app: App, mining: Mining): void {
  route(app, api.getNetwork, async () => {
    const [{ reading, price }, history] = await Promise.all([
      mining.moment(),
      mining.history(historyDays),
    ]);
    if (!reading) throw new ApiError("mining.not_ready");
    return {
      ...toNetworkView(reading, mining.network.kind),
      history: history.map(toNetworkPoint),
      btc_price: formatPrice(price),
    };
  });

  route(app, api.getProductList, async ({ product_id: onlyId }) => {
    const machines = await mining.catalogue.all();
    const listedFlags = await Promise.all(
      machines.map(({ productId }) => mining.isListed(productId)),
    );
    const listedMachines = machines.filter((publishedTerms, index) =>
      onlyId === undefined ? listedFlags[index] : publishedTerms.productId === onlyId,
    );
    if (onlyId !== undefined && listedMachines.length === 0) throw new ApiError("mining.unknown");
    const [{ reading, price }, usedByKey, instance] = await Promise.all([
      mining.moment(),
      readLimitsUsed(
        mining.db,
        listedMachines.map(({ productId }) => stockKey(productId)),
      ),
      readInstance(mining),
    ]);
    return {
      items: listedMachines.map((publishedTerms) =>
        toMachineView(
          publishedTerms,
          Number(usedByKey.get(stockKey(publishedTerms.productId)) ?? 0n),
          reading,
          price,
        ),
      ),
      btc_price: formatPrice(price),
      instance,
    };
  });
}

async function readInstance({ db }: Mining): Promise<{ ended: number; lost: number }> {
  const { rows } = await sql<{ ended: bigint; lost: bigint }>`
    select coalesce(sum(ended), 0)::bigint as ended, coalesce(sum(lost), 0)::bigint as lost from mining_machine`.execute(
    db,
  );
  return { ended: Number(rows[0]!.ended), lost: Number(rows[0]!.lost) };
}

const begunAnswer = (row: LeaseRow) => {
  const times = { acceptedAtMs: Number(row.accepted_at_ms) };
  return {
    lease_id: row.id,
    lease_hash: row.lease_hash,
    price: formatPusdt(row.price_per_day * BigInt(row.days)),
    power: formatPusdt(row.power_per_day * BigInt(row.days)),
    accepted_at_ms: times.acceptedAtMs,
    starts_at_ms: getLeaseStart(times),
    ends_at_ms: getDayEnd(times, row.days),
  };
};

const endedAnswer = (row: LeaseRow) => ({
  lease_id: row.id,
  ending_hash: row.end_hash!,
  unused_days: row.days - row.days_to_work,
  price: formatPusdt(row.refund_price ?? 0n),
  power: formatPusdt(row.refund_power ?? 0n),
  ends_at_ms:
    row.days_to_work === 0
      ? Number(row.ended_at_ms)
      : getDayEnd({ acceptedAtMs: Number(row.accepted_at_ms) }, row.days_to_work),
});

function mountMoney(app: App, mining: Mining): void {
  const { db, ledger } = mining;
  idempotentRoute(app, ledger, api.leaseProduct, {
    optimistic: true,
    boundHash: (answer) => answer.lease_hash,
    find: async (id, { session }) => {
      const row = await mining.findLease(session.userId, id);
      return row && begunAnswer(row);
    },
    run: async (input, id, bodyHash, { session }) => {
      const params = {
        productId: input.product_id,
        quantity: input.quantity,
        days: input.days,
        termsHash: input.terms_hash,
      };
      await mining.lease(session, params, id, bodyHash);
      const row = await mining.findLease(session.userId, id);
      return begunAnswer(row!);
    },
  });

  idempotentRoute(app, ledger, api.endLease, {
    boundHash: (answer) => answer.ending_hash,
    find: async (id, { session }) => {
      const { rows } = await sql<{ id: string }>`
        select id from mining_lease where refund_id = ${id} and user_id = ${session.userId}`.execute(
        db,
      );
      const row = rows[0] ? await mining.findLease(session.userId, rows[0].id) : null;
      return row && endedAnswer(row);
    },
    run: async (input, id, bodyHash, { session }) => {
      const params = { leaseId: input.lease_id, unusedDays: input.unused_days };
      await mining.end(session, params, id, bodyHash);
      const row = await mining.findLease(session.userId, input.lease_id);
      return endedAnswer(row!);
    },
  });
}

function mountLeases(app: App, mining: Mining): void {
  route(app, api.myMachine, async (_input, { session }) => {
    const [running, atWork, totals, { price }] = await Promise.all([
      mining.leases(session.userId, { ...firstPage, status: "running" }),
      mining.leases(session.userId, { ...firstPage, status: "at_work" }),
      mining.totals(session),
      mining.moment(),
    ]);
    const items = [...running.items, ...atWork.items]
      .filter((item) => item.attempt_id === session.attemptId)
      .toSorted((a, b) => b.accepted_at_ms - a.accepted_at_ms)
      .slice(0, openMax);
    const soFar = items.reduce(
      (sum, item) => sum + toMinorUnits(item.today_so_far, coinScale("pBTC")),
      0n,
    );
    return {
      items,
      open: totals.open,
      hashrate_ths: formatThs(totals.hashrate_ghs),
      spent: formatPusdt(totals.spent),
      mined: formatPbtc(totals.mined),
      mined_worth: price === null ? null : formatPusdt(computeSatoshiWorth(totals.mined, price)),
      today_so_far: formatPbtc(soFar),
    };
  });

  route(app, api.getOrderList, async (input, { session }) => {
    const { items, first } = await mining.leases(session.userId, {
      status: input.status ?? null,
      ...toSlice(input),
    });
    return toPage(input, items, first);
  });

  route(app, api.getLeaseResults, async (span, { session }) => ({
    items: await mining.results(session, span),
  }));

  route(app, api.findLease, ({ lease_id: id }, { session }) => mining.leaseOf(session.userId, id));
}

const firstPage = { upToSeq: null, limit: openMax, offset: 0 };

function mountPayouts(app: App, mining: Mining): void {
  route(app, api.getPayoutList, async (input, { session }) => {
    const { upToSeq: upToMs, limit, offset } = toSlice(input);
    const { items, firstMs } = await mining.payouts(session.userId, {
      leaseId: input.lease_id ?? null,
      upToMs,
      limit,
      offset,
    });
    return toPage(input, items, firstMs);
  });

  route(app, api.getReceipt, async ({ lease_id: id, day }, { session }) => ({
    ...(await mining.receipt(session.userId, id, day ?? null)),
  }));
}
