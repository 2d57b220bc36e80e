// Generated from api/transparencyLog.ts by `npm run routes`; a test keeps it up to date.

import type { RoutesOf } from "#api/call.ts";
import type * as calls from "#api/transparencyLog.ts";

export const getAuditHead: RoutesOf<typeof calls.getAuditHead> = {
  method: "GET",
  path: "/api/log/getAuditHead",
  access: "public",
};

export const getBuild: RoutesOf<typeof calls.getBuild> = {
  method: "GET",
  path: "/api/log/getBuild",
  access: "public",
};

export const getConsistency: RoutesOf<typeof calls.getConsistency> = {
  method: "GET",
  path: "/api/log/getConsistency",
  access: "public",
};

export const getInclusion: RoutesOf<typeof calls.getInclusion> = {
  method: "GET",
  path: "/api/log/getInclusion",
  access: "public",
};

export const getLogState: RoutesOf<typeof calls.getLogState> = {
  method: "GET",
  path: "/api/log/getState",
  access: "public",
};

export const getPublication: RoutesOf<typeof calls.getPublication> = {
  method: "GET",
  path: "/api/log/getPublication",
  access: "public",
};
