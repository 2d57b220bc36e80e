// Generated from api/lesson.ts by `npm run routes`; a test keeps it up to date.

import type { RoutesOf } from "#api/call.ts";
import type * as calls from "#api/lesson.ts";

export const finishLesson: RoutesOf<typeof calls.finishLesson> = {
  method: "POST",
  path: "/api/lesson/finishLesson",
  access: "user",
};

export const getLesson: RoutesOf<typeof calls.getLesson> = {
  method: "GET",
  path: "/api/lesson/getLesson",
  access: "user",
};
