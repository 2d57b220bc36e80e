import * as api from "#api/operator/debrief.ts";
import type { Debrief, PreparedDebrief } from "#server/operator/debrief/debrief.ts";
import type { App } from "#server/platform/http/context.ts";
import { preparedOperatorRoute } from "#server/platform/http/operatorRoute.ts";

/** Mounts the call of `api/operator/debrief.ts`. */
export function debriefRoutes(app: App, debrief: Debrief): void {
  preparedOperatorRoute<typeof api.openDebrief, PreparedDebrief>(app, api.openDebrief, {
    prepare: ({ class_id: classId, recount }) => debrief.prepare(classId, recount),
    handler: async (_input, { prepared, audit, tx }) => {
      const { link, counted } = prepared;
      const answer = await debrief.open(tx, prepared);
      audit({ what: "class.debrief_opened", target: link.classId });
      // Texts encrypted under their own key were read for counting (promise 8).
      for (const [userId, { beliefs }] of counted?.members ?? []) {
        if (beliefs.length === 0) continue;
        audit({ what: "class.beliefs_counted", target: link.classId, touches: { userId } });
      }
      return answer;
    },
  });
}
