import { type BeliefsDeps, createBeliefs } from "#server/beliefs/beliefs.ts";
import { type ConsentDeps, createConsent } from "#server/beliefs/consent.ts";
import { beliefsRoutes } from "#server/beliefs/routes.ts";
import { defineModule } from "#server/module/module.ts";
import { createPersonRows } from "#server/platform/db/personRows.ts";

export const beliefsModule = defineModule<BeliefsDeps & ConsentDeps>()({
  name: "beliefs",
  needs: ["contracts", "hosting", "invites"],
  create: (ctx, deps) => {
    const service = { ...createBeliefs(ctx, deps), consent: createConsent(ctx, deps) };
    const rows = createPersonRows(ctx);
    return {
      service,
      routes: (app) => beliefsRoutes(app, service),
      jobs: null,
      classTasks: { order: service.filterUsersWithOrderBelief },
      personalData: [
        {
          name: "beliefs",
          lists: {
            beliefs: rows.list({
              table: "belief",
              order: "order_id",
              opened: { content_encrypted: "content" },
            }),
            class_consent: rows.list({ table: "belief_consent", order: "user_id" }),
          },
          erase: (userId) => rows.remove(userId, ["belief", "belief_consent"]),
        },
      ],
    };
  },
});
