import { type BeliefsDeps, createBeliefs } from "#server/beliefs/beliefs.ts";
import { beliefsRoutes } from "#server/beliefs/routes.ts";
import { defineModule } from "#server/module/module.ts";
import { createPersonRows } from "#server/platform/db/personRows.ts";

export const beliefsModule = defineModule<BeliefsDeps>()({
  name: "beliefs",
  needs: ["contracts", "hosting"],
  create: (ctx, deps) => {
    const service = createBeliefs(ctx, deps);
    const rows = createPersonRows(ctx);
    return {
      service,
      routes: (app) => beliefsRoutes(app, service),
      jobs: null,
      classTasks: { order: service.statedForOrder },
      personalData: [
        {
          name: "beliefs",
          lists: {
            beliefs: rows.list({
              table: "belief",
              order: "order_id",
              opened: { content_encrypted: "content" },
            }),
          },
          erase: (userId) => rows.remove(userId, ["belief"]),
        },
      ],
    };
  },
});
