import { createIdentity, type IdentityDeps } from "#server/identity/identity.ts";
import { countKept, readReviewed } from "#server/identity/reviewedEvents.ts";
import { identityRoutes } from "#server/identity/routes.ts";
import { defineModule } from "#server/module/module.ts";

export const identityModule = defineModule<IdentityDeps>()({
  name: "identity",
  needs: ["imageDecoder"],
  create: (ctx, deps) => {
    const service = createIdentity(ctx, deps);
    return {
      service,
      routes: (app) => identityRoutes(app, service),
      jobs: service.jobs,
      personalData: [{ name: "identity", exportFor: service.exportFor, erase: service.erase }],
      keepsAwake: { "verifications to decide or to purge": () => countKept(ctx.database.db) },
      records: { prefix: "identity", events: readReviewed(ctx.database.db) },
    };
  },
});
