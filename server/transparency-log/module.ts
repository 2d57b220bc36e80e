import { defineModule } from "#server/module/module.ts";
import { createLagCheck } from "#server/platform/health.ts";
import { logMetrics } from "#server/transparency-log/metrics.ts";
import { logRoutes } from "#server/transparency-log/routes.ts";
import { createTransparencyLog } from "#server/transparency-log/transparencyLog.ts";

export const transparencyLogModule = defineModule()({
  name: "transparencyLog",
  needs: [],
  create: (ctx) => {
    const service = createTransparencyLog(ctx);
    return {
      service,
      routes: (app) => logRoutes(app, ctx, service),
      jobs: service.jobs,
      personalData: null,
      health: { log: createLagCheck(() => service.lagMs()) },
      metrics: logMetrics(service),
      prepare: () => service.prepare(),
    };
  },
});
