import { finishLesson, getLesson } from "#api/lesson.ts";
import type { Lessons } from "#server/lesson/lesson.ts";
import type { App } from "#server/platform/http/context.ts";
import { route } from "#server/platform/http/route.ts";

export function lessonRoutes(app: App, lesson: Lessons): void {
  route(app, getLesson, (_input, { session }) => lesson.state(session.userId));
  route(app, finishLesson, ({ run_id: id, answers }, { session }) =>
    lesson.finish(session.userId, id, answers),
  );
}
