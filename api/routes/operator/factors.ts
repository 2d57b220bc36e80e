// Generated from api/operator/factors.ts by `npm run routes`; a test keeps it up to date.

import type { RoutesOf } from "#api/call.ts";
import type * as calls from "#api/operator/factors.ts";

export const addKey: RoutesOf<typeof calls.addKey> = {
  method: "POST",
  path: "/api/operator/addKey",
  access: "operator",
};

export const getFactors: RoutesOf<typeof calls.getFactors> = {
  method: "GET",
  path: "/api/operator/getFactors",
  access: "operator",
};

export const getKeyChallenge: RoutesOf<typeof calls.getKeyChallenge> = {
  method: "GET",
  path: "/api/operator/getKeyChallenge",
  access: "operator",
};

export const removeKey: RoutesOf<typeof calls.removeKey> = {
  method: "POST",
  path: "/api/operator/removeKey",
  access: "operator",
};

export const removePassphrase: RoutesOf<typeof calls.removePassphrase> = {
  method: "POST",
  path: "/api/operator/removePassphrase",
  access: "operator",
};

export const resetFactors: RoutesOf<typeof calls.resetFactors> = {
  method: "POST",
  path: "/api/operator/resetFactors",
  access: "operator",
  permission: "operators.manage",
};

export const setPassphrase: RoutesOf<typeof calls.setPassphrase> = {
  method: "POST",
  path: "/api/operator/setPassphrase",
  access: "operator",
};
