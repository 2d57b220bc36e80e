// Generated from api/operator/instance.ts by `npm run routes`; a test keeps it up to date.

import type { RoutesOf } from "#api/call.ts";
import type * as calls from "#api/operator/instance.ts";

export const clearErrors: RoutesOf<typeof calls.clearErrors> = {
  method: "POST",
  path: "/api/operator/clearErrors",
  access: "operator",
  permission: "instance.settings",
};

export const exportInstance: RoutesOf<typeof calls.exportInstance> = {
  method: "GET",
  path: "/api/operator/exportInstance",
  access: "operator",
  permission: "instance.export",
};

export const getErrors: RoutesOf<typeof calls.getErrors> = {
  method: "GET",
  path: "/api/operator/getErrors",
  access: "operator",
  permission: "instance.view",
};

export const getInstance: RoutesOf<typeof calls.getInstance> = {
  method: "GET",
  path: "/api/operator/getInstance",
  access: "operator",
  permission: "instance.view",
};

export const getInstanceHistory: RoutesOf<typeof calls.getInstanceHistory> = {
  method: "GET",
  path: "/api/operator/getInstanceHistory",
  access: "operator",
  permission: "instance.view",
};

export const getSettings: RoutesOf<typeof calls.getSettings> = {
  method: "GET",
  path: "/api/operator/getSettings",
  access: "operator",
  permission: "instance.view",
};

export const setChatLink: RoutesOf<typeof calls.setChatLink> = {
  method: "POST",
  path: "/api/operator/setChatLink",
  access: "operator",
  permission: "instance.settings",
};
