import { countOpenOrders, readOpenOrders, readOrderFees } from "#server/contracts/attemptHooks.ts";
import { createContracts } from "#server/contracts/contracts.ts";
import { readOrderCosts } from "#server/contracts/costs.ts";
import { contractsMetrics } from "#server/contracts/metrics.ts";
import { readOpenStakes } from "#server/contracts/openStakes.ts";
import { contractsPersonalData } from "#server/contracts/personalData.ts";
import { contractsRoutes } from "#server/contracts/routes.ts";
import { readSettledOrders } from "#server/contracts/settledEvents.ts";
import { countVoids } from "#server/contracts/settlement/voids.ts";
import type { ContractsDeps } from "#server/contracts/types.ts";
import { defineModule } from "#server/module/module.ts";
import { toPage, toSlice } from "#server/platform/http/pagination.ts";

export const contractsModule = defineModule<ContractsDeps>()({
  name: "contracts",
  needs: ["ledger", "transparencyLog", "market", "session", "listings", "hub"],
  create: (ctx, deps) => {
    const { db } = ctx.database;
    const service = createContracts(ctx, deps);
    return {
      service,
      routes: (app) => contractsRoutes(app, service),
      jobs: service.jobs,
      personalData: [contractsPersonalData(ctx)],
      onSecond: { beforeAppend: service.beforeAppend },
      voidsOfDay: countVoids,
      metrics: contractsMetrics(ctx),
      keepsAwake: { "open orders": () => countOpenOrders(db) },
      secondsNeededFrom: service.neededFromMs,
      records: {
        prefix: "contract",
        orders: service.ordersOf,
        inLine: (attemptId, moments) => readOpenStakes(db, attemptId, moments),
        costs: (attemptId) => readOrderCosts(db, attemptId),
        events: readSettledOrders(db),
      },
      attempts: {
        running: { product: "contract", read: (attemptIds) => readOpenOrders(db, attemptIds) },
        fees: (attemptId) => readOrderFees(db, attemptId),
      },
      personPages: {
        contractOrders: async ({ userId }, page) => {
          const filter = { contractId: null, status: null, ...toSlice(page) };
          const { items, first } = await service.orders(userId, filter);
          return toPage(page, items, first);
        },
      },
    };
  },
});
