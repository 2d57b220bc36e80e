import { type ClassesDeps, createClasses } from "#server/classes/classes.ts";
import { classesRoutes } from "#server/classes/routes.ts";
import { defineModule } from "#server/module/module.ts";

export const classesModule = defineModule<ClassesDeps>()({
  name: "classes",
  needs: ["contributions"],
  create: (ctx, deps) => {
    const service = createClasses(ctx, deps);
    return {
      service,
      routes: (app) => classesRoutes(app, ctx, service),
      jobs: service.jobs,
      personalData: [{ name: "classes", exportFor: service.exportFor, erase: service.erase }],
    };
  },
});
