import { createLesson, type LessonDeps } from "#server/lesson/lesson.ts";
import { lessonRoutes } from "#server/lesson/routes.ts";
import { defineModule } from "#server/module/module.ts";

export const lessonModule = defineModule<LessonDeps>()({
  name: "lesson",
  needs: ["invites"],
  create: (ctx, deps) => {
    const service = createLesson(ctx, deps);
    return {
      service,
      routes: (app) => lessonRoutes(app, service),
      jobs: null,
      classTasks: { offers: (userIds) => service.sittings.finishedBy(userIds) },
      personalData: [{ name: "lesson", exportFor: service.exportFor, erase: service.erase }],
    };
  },
});
