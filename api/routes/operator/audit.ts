// Generated from api/operator/audit.ts by `npm run routes`; a test keeps it up to date.

import type { RoutesOf } from "#api/call.ts";
import type * as calls from "#api/operator/audit.ts";

export const checkAudit: RoutesOf<typeof calls.checkAudit> = {
  method: "GET",
  path: "/api/operator/checkAudit",
  access: "operator",
  permission: "audit.read",
};

export const exportAudit: RoutesOf<typeof calls.exportAudit> = {
  method: "GET",
  path: "/api/operator/exportAudit",
  access: "operator",
  permission: "audit.export",
};

export const getAudit: RoutesOf<typeof calls.getAudit> = {
  method: "GET",
  path: "/api/operator/getAudit",
  access: "operator",
  permission: "audit.read",
};

export const getMyActs: RoutesOf<typeof calls.getMyActs> = {
  method: "GET",
  path: "/api/operator/getMyActs",
  access: "operator",
};
