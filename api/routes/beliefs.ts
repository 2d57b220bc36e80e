// Generated from api/beliefs.ts by `npm run routes`; a test keeps it up to date.

import type * as calls from "#api/beliefs.ts";
import type { RoutesOf } from "#api/call.ts";

export const getBeliefs: RoutesOf<typeof calls.getBeliefs> = {
  method: "GET",
  path: "/api/belief/getBeliefs",
  access: "user",
};

export const getClassConsent: RoutesOf<typeof calls.getClassConsent> = {
  method: "GET",
  path: "/api/belief/getClassConsent",
  access: "user",
};

export const removeBelief: RoutesOf<typeof calls.removeBelief> = {
  method: "POST",
  path: "/api/belief/removeBelief",
  access: "user",
};

export const setClassConsent: RoutesOf<typeof calls.setClassConsent> = {
  method: "POST",
  path: "/api/belief/setClassConsent",
  access: "user",
};

export const stateBelief: RoutesOf<typeof calls.stateBelief> = {
  method: "POST",
  path: "/api/belief/stateBelief",
  access: "user",
};
