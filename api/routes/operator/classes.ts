// Generated from api/operator/classes.ts by `npm run routes`; a test keeps it up to date.

import type { RoutesOf } from "#api/call.ts";
import type * as calls from "#api/operator/classes.ts";

export const announce: RoutesOf<typeof calls.announce> = {
  method: "POST",
  path: "/api/operator/class/announce",
  access: "operator",
  permission: "class.announce",
};

export const closeClassLink: RoutesOf<typeof calls.closeClassLink> = {
  method: "POST",
  path: "/api/operator/class/closeLink",
  access: "operator",
  permission: "class.links",
};

export const getClass: RoutesOf<typeof calls.getClass> = {
  method: "GET",
  path: "/api/operator/class/getClass",
  access: "operator",
  permission: "class.links",
};

export const makeClassLink: RoutesOf<typeof calls.makeClassLink> = {
  method: "POST",
  path: "/api/operator/class/makeLink",
  access: "operator",
  permission: "class.links",
};

export const pauseClock: RoutesOf<typeof calls.pauseClock> = {
  method: "POST",
  path: "/api/operator/class/pauseClock",
  access: "operator",
  permission: "class.clock",
};

export const resumeClock: RoutesOf<typeof calls.resumeClock> = {
  method: "POST",
  path: "/api/operator/class/resumeClock",
  access: "operator",
  permission: "class.clock",
};

export const setContracts: RoutesOf<typeof calls.setContracts> = {
  method: "POST",
  path: "/api/operator/class/setContracts",
  access: "operator",
  permission: "class.contracts_switch",
};

export const setSignUp: RoutesOf<typeof calls.setSignUp> = {
  method: "POST",
  path: "/api/operator/class/setSignUp",
  access: "operator",
  permission: "class.sign_up_switch",
};
