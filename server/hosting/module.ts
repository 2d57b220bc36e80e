import { countOpenHoldings, readOpenHoldings } from "#server/hosting/attemptHooks.ts";
import { createHosting } from "#server/hosting/hosting.ts";
import { hostingRoutes } from "#server/hosting/routes.ts";
import type { HostingDeps } from "#server/hosting/types.ts";
import { defineModule } from "#server/module/module.ts";
import { createPersonRows } from "#server/platform/db/personRows.ts";
import { toPage, toSlice } from "#server/platform/http/pagination.ts";

export const hostingModule = defineModule<HostingDeps>()({
  name: "hosting",
  needs: ["ledger", "transparencyLog", "market", "session", "hub"],
  create: (ctx, deps) => {
    const { database, clock } = ctx;
    const service = createHosting(ctx, deps);
    const rows = createPersonRows(ctx);
    return {
      service,
      routes: (app) => hostingRoutes(app, service),
      jobs: service.jobs,
      personalData: [
        {
          name: "hosting",
          exportFor: async (userId) => ({
            json: {
              holdings: await rows.all(userId, {
                table: "hosting_holding",
                order: ["attempt_id", "pool_id"],
              }),
            },
          }),
          lists: { orders: rows.list({ table: "hosting_order", order: "seq" }) },
          erase: null,
        },
      ],
      onSecond: { beforeAppend: service.beforeAppend, afterAppend: service.afterAppend },
      keepsAwake: { "units held": () => countOpenHoldings(database.db) },
      records: {
        prefix: "hosting",
        explain: service.explain,
        orders: service.ordersOf,
        inLine: async (attemptId, moments) => {
          const now = clock.nowMs();
          const hostedPools = await service.hostedAt(
            attemptId,
            moments.map((atMs) => atMs ?? now),
          );
          return hostedPools.map((amount) => new Map([["pUSDT", amount]]));
        },
      },
      attempts: {
        running: {
          product: "hosting",
          read: (attemptIds) => readOpenHoldings(database.db, attemptIds),
        },
      },
      personPages: {
        hostingOrders: async ({ userId }, page) => {
          const filter = { poolId: null, status: null, ...toSlice(page) };
          const { items, first } = await service.orders(userId, filter);
          return toPage(page, items, first);
        },
      },
    };
  },
});
