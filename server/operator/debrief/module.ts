import { defineModule } from "#server/module/module.ts";
import { createDebrief } from "#server/operator/debrief/debrief.ts";
import type { DebriefDeps } from "#server/operator/debrief/deps.ts";
import { debriefRoutes } from "#server/operator/debrief/routes.ts";
import { removeOldFigures } from "#server/operator/debrief/store.ts";
import { createPersonRows } from "#server/platform/db/personRows.ts";

export const debriefModule = defineModule<DebriefDeps>()({
  name: "debrief",
  needs: ["invites", "session", "records", "contracts", "beliefs"],
  create: (ctx, deps) => {
    const rows = createPersonRows(ctx);
    return {
      service: null,
      routes: (app) => debriefRoutes(app, createDebrief(ctx, deps)),
      jobs: [{ name: "debrief.ended", everySeconds: 3_600, run: () => removeOldFigures(ctx) }],
      personalData: [
        {
          name: "debrief",
          lists: {
            figure_parts: rows.list({
              table: "class_figure_part",
              order: "figure_id",
              opened: { content_encrypted: "content" },
            }),
          },
          erase: (userId) => rows.remove(userId, ["class_figure_part"]),
        },
      ],
    };
  },
});
