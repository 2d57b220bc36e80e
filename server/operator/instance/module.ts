import { defineModule } from "#server/module/module.ts";
import { createInstance, type InstanceDeps } from "#server/operator/instance/instance.ts";
import { instanceMetrics } from "#server/operator/instance/metrics.ts";
import { instanceRoutes } from "#server/operator/instance/routes.ts";

export const instanceModule = defineModule<InstanceDeps>()({
  name: "instance",
  needs: [
    "version",
    "market",
    "transparencyLog",
    "operator",
    "contracts",
    "mining",
    "hosting",
    "session",
    "withdraw",
  ],
  create: (ctx, deps) => {
    const service = createInstance(ctx, deps);
    return {
      service,
      routes: (app) => instanceRoutes(app, ctx, service),
      jobs: service.jobs,
      personalData: null,
      metrics: instanceMetrics(ctx),
      stop: () => service.stop(),
    };
  },
});
