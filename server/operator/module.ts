import { defineModule } from "#server/module/module.ts";
import { createOperators, type OperatorDeps } from "#server/operator/operator.ts";
import { operatorRoutes } from "#server/operator/routes.ts";

export const operatorModule = defineModule<OperatorDeps>()({
  name: "operator",
  needs: ["session", "records", "contributions"],
  create: (ctx, deps) => {
    const service = createOperators(ctx, deps);
    return {
      service,
      routes: (app) => operatorRoutes(app, ctx, service),
      jobs: service.jobs,
      personalData: [{ name: "operator", exportFor: service.exportFor, erase: service.erase }],
    };
  },
});
