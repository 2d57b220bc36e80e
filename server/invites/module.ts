import { createInvites } from "#server/invites/invites.ts";
import type { InvitesDeps } from "#server/invites/reward.ts";
import { invitesRoutes } from "#server/invites/routes.ts";
import { defineModule } from "#server/module/module.ts";

export const invitesModule = defineModule<InvitesDeps>()({
  name: "invites",
  needs: ["ledger", "addresses", "classes"],
  create: (ctx, deps) => {
    const service = createInvites(ctx, deps);
    return {
      service,
      routes: (app) => invitesRoutes(app, service),
      jobs: service.jobs,
      personalData: [{ name: "invites", exportFor: service.exportFor, erase: service.erase }],
      records: { prefix: "reward", explain: service.explain },
    };
  },
});
