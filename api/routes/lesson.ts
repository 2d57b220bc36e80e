// Generated from api/lesson.ts by `npm run routes`; a test keeps it up to date.

import type { RoutesOf } from "#api/call.ts";
import type * as calls from "#api/lesson.ts";

export const beginSitting: RoutesOf<typeof calls.beginSitting> = {
  method: "POST",
  path: "/api/lesson/beginSitting",
  access: "user",
};

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

export const getSittings: RoutesOf<typeof calls.getSittings> = {
  method: "GET",
  path: "/api/lesson/getSittings",
  access: "user",
};

export const saveSitting: RoutesOf<typeof calls.saveSitting> = {
  method: "POST",
  path: "/api/lesson/saveSitting",
  access: "user",
};
