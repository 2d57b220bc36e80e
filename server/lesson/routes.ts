import { beginSitting, finishLesson, getLesson, getSittings, saveSitting } from "#api/lesson.ts";
import type { Lessons } from "#server/lesson/lesson.ts";
import type { App } from "#server/platform/http/context.ts";
import { route } from "#server/platform/http/route.ts";

export function lessonRoutes(app: App, lesson: Lessons): void {
  route(app, getLesson, (_input, { session }) => lesson.state(session.userId));
  route(app, finishLesson, ({ run_id: id, answers }, { session }) =>
    lesson.finish(session.userId, id, answers),
  );
  route(app, getSittings, (_input, { session }) => lesson.sittings.state(session.userId));
  route(app, beginSitting, (_input, { session }) => lesson.sittings.begin(session.userId));
  route(app, saveSitting, ({ sitting_id: id, answers }, { session }) =>
    lesson.sittings.save(session.userId, id, answers),
  );
}
