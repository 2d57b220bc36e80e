// Generated from api/operator/classRoom.ts by `npm run routes`; a test keeps it up to date.

import type { RoutesOf } from "#api/call.ts";
import type * as calls from "#api/operator/classRoom.ts";

export const exportRoom: RoutesOf<typeof calls.exportRoom> = {
  method: "GET",
  path: "/api/operator/class/exportRoom",
  access: "operator",
  permission: "class.room",
};

export const getClassCodes: RoutesOf<typeof calls.getClassCodes> = {
  method: "GET",
  path: "/api/operator/class/getCodes",
  access: "operator",
  permission: "class.links",
};

export const getRoom: RoutesOf<typeof calls.getRoom> = {
  method: "GET",
  path: "/api/operator/class/getRoom",
  access: "operator",
  permission: "class.room",
};

export const makeClassCodes: RoutesOf<typeof calls.makeClassCodes> = {
  method: "POST",
  path: "/api/operator/class/makeCodes",
  access: "operator",
  permission: "class.links",
};

export const openRoom: RoutesOf<typeof calls.openRoom> = {
  method: "POST",
  path: "/api/operator/class/openRoom",
  access: "operator",
  permission: "class.room",
};

export const setClassTasks: RoutesOf<typeof calls.setClassTasks> = {
  method: "POST",
  path: "/api/operator/class/setTasks",
  access: "operator",
  permission: "class.links",
};

export const unlockBackup: RoutesOf<typeof calls.unlockBackup> = {
  method: "POST",
  path: "/api/operator/class/unlockBackup",
  access: "operator",
  permission: "class.room",
};
