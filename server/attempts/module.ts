import { createAttempts } from "#server/attempts/attempts.ts";
import { explainStarts } from "#server/attempts/explain.ts";
import { attemptsRoutes } from "#server/attempts/routes.ts";
import type { AttemptsDeps } from "#server/attempts/types.ts";
import { defineModule } from "#server/module/module.ts";

export const attemptsModule = defineModule<AttemptsDeps>()({
  name: "attempts",
  needs: ["ledger", "market", "records", "contributions"],
  create: (ctx, deps) => {
    const service = createAttempts(ctx, deps);
    return {
      service,
      routes: (app) => attemptsRoutes(app, service),
      jobs: service.jobs,
      // Attempts are exported with the account, in server/session.
      personalData: null,
      records: {
        prefix: "attempt",
        explain: (journalIds) => explainStarts(ctx.database.db, journalIds),
      },
    };
  },
});
