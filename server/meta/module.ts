import { createIndex, type MetaDeps } from "#server/meta/meta.ts";
import { indexRoutes } from "#server/meta/routes.ts";
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
    const service = createIndex(ctx, deps);
    return { service, routes: (app) => indexRoutes(app, service), personalData: null };
  },
});
