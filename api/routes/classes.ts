// Generated from api/classes.ts by `npm run routes`; a test keeps it up to date.

import type { RoutesOf } from "#api/call.ts";
import type * as calls from "#api/classes.ts";

export const findClassCode: RoutesOf<typeof calls.findClassCode> = {
  method: "POST",
  path: "/api/class/findCode",
  access: "public",
};

export const getClassTasks: RoutesOf<typeof calls.getClassTasks> = {
  method: "GET",
  path: "/api/class/getTasks",
  access: "user",
};

export const joinClass: RoutesOf<typeof calls.joinClass> = {
  method: "POST",
  path: "/api/class/join",
  access: "user",
};

export const openClassBackup: RoutesOf<typeof calls.openClassBackup> = {
  method: "POST",
  path: "/api/class/openBackup",
  access: "public",
};

export const reportClassTask: RoutesOf<typeof calls.reportClassTask> = {
  method: "POST",
  path: "/api/class/reportTask",
  access: "user",
};

export const storeClassBackup: RoutesOf<typeof calls.storeClassBackup> = {
  method: "POST",
  path: "/api/class/storeBackup",
  access: "user",
};
