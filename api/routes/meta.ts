// Generated from api/meta.ts by `npm run routes`; a test keeps it up to date.

import type { RoutesOf } from "#api/call.ts";
import type * as calls from "#api/meta.ts";

export const getConfig: RoutesOf<typeof calls.getConfig> = {
  method: "POST",
  path: "/api/index/config",
  access: "public",
};

export const getHealth: RoutesOf<typeof calls.getHealth> = {
  method: "GET",
  path: "/api/health",
  access: "public",
};

export const getTerms: RoutesOf<typeof calls.getTerms> = {
  method: "GET",
  path: "/api/index/getTerms",
  access: "public",
};

export const reportError: RoutesOf<typeof calls.reportError> = {
  method: "POST",
  path: "/api/index/reportError",
  access: "public",
};
