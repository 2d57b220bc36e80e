import { defineModule } from "#server/module/module.ts";
import { worldsRoutes } from "#server/operator/worlds/routes.ts";

export const worldsModule = defineModule<Record<never, never>>()({
  name: "worlds",
  needs: [],
  create: (ctx) => ({
    service: {},
    routes: (app) => worldsRoutes(app, ctx),
    jobs: [],
    personalData: null,
  }),
});
