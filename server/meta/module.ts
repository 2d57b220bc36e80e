import { createMeta, type MetaDeps } from "#server/meta/meta.ts";
import { healthMetrics } from "#server/meta/metrics.ts";
import { metaRoutes } from "#server/meta/routes.ts";
import { defineModule } from "#server/module/module.ts";

export const metaModule = defineModule<MetaDeps>()({
  name: "meta",
  needs: [
    "version",
    "instance",
    "market",
    "transparencyLog",
    "contracts",
    "hosting",
    "mining",
    "contributions",
  ],
  create: (ctx, deps) => {
    const service = createMeta(ctx, deps);
    return {
      service,
      routes: (app) => metaRoutes(app, service),
      jobs: service.jobs,
      personalData: null,
      metrics: healthMetrics(() => service.health()),
    };
  },
});
