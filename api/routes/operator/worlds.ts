// Generated from api/operator/worlds.ts by `npm run routes`; a test keeps it up to date.

import type { RoutesOf } from "#api/call.ts";
import type * as calls from "#api/operator/worlds.ts";

export const createWorld: RoutesOf<typeof calls.createWorld> = {
  method: "POST",
  path: "/api/operator/createWorld",
  access: "operator",
  permission: "instance.worlds",
};

export const exportWorld: RoutesOf<typeof calls.exportWorld> = {
  method: "GET",
  path: "/api/operator/exportWorld",
  access: "operator",
  permission: "instance.worlds",
};

export const getWorlds: RoutesOf<typeof calls.getWorlds> = {
  method: "GET",
  path: "/api/operator/getWorlds",
  access: "operator",
  permission: "instance.worlds",
};

export const removeWorld: RoutesOf<typeof calls.removeWorld> = {
  method: "POST",
  path: "/api/operator/removeWorld",
  access: "operator",
  permission: "instance.worlds",
};

export const setWorldState: RoutesOf<typeof calls.setWorldState> = {
  method: "POST",
  path: "/api/operator/setWorldState",
  access: "operator",
  permission: "instance.worlds",
};
