import { defineModule } from "#server/module/module.ts";
import { sessionPersonalData } from "#server/session/personalData.ts";
import { sessionRoutes } from "#server/session/routes.ts";
import { createSessions, type SessionDeps } from "#server/session/session.ts";

export const sessionModule = defineModule<SessionDeps>()({
  name: "session",
  needs: ["invites", "contributions"],
  create: (ctx, deps) => {
    const service = createSessions(ctx, deps);
    return {
      service,
      routes: (app) => sessionRoutes(app, service),
      jobs: service.jobs,
      personalData: [sessionPersonalData(ctx)],
    };
  },
});
