import { defineModule } from "#server/module/module.ts";
import { createPersonRows } from "#server/platform/db/personRows.ts";
import { createRecharges, type RechargeDeps } from "#server/recharge/recharge.ts";
import { countUndecided, readRefusedRecharges } from "#server/recharge/refusedEvents.ts";
import { rechargeRoutes } from "#server/recharge/routes.ts";

export const rechargeModule = defineModule<RechargeDeps>()({
  name: "recharge",
  needs: ["ledger", "market", "imageDecoder"],
  create: (ctx, deps) => {
    const service = createRecharges(ctx, deps);
    const rows = createPersonRows(ctx);
    return {
      service,
      routes: (app) => rechargeRoutes(app, service),
      jobs: service.jobs,
      personalData: [
        {
          name: "recharges",
          lists: {
            vouchers: rows.list({ table: "voucher", order: "seq" }),
            recharges: rows.list({
              table: "recharge",
              order: "seq",
              without: ["body_hash", "image"],
            }),
          },
          blobs: service.images,
          erase: service.erase,
        },
      ],
      records: {
        prefix: "recharge",
        explain: service.explain,
        events: readRefusedRecharges(ctx.database.db),
      },
      keepsAwake: { "undecided recharges": () => countUndecided(ctx.database.db) },
      attempts: { onClose: ({ attemptId }) => service.cancelWaiting(attemptId) },
    };
  },
});
