// Generated from api/operator/operators.ts by `npm run routes`; a test keeps it up to date.

import type { RoutesOf } from "#api/call.ts";
import type * as calls from "#api/operator/operators.ts";

export const getOperators: RoutesOf<typeof calls.getOperators> = {
  method: "GET",
  path: "/api/operator/getOperators",
  access: "operator",
  permission: "audit.read",
};

export const inviteOperator: RoutesOf<typeof calls.inviteOperator> = {
  method: "POST",
  path: "/api/operator/inviteOperator",
  access: "operator",
  permission: "operators.manage",
};

export const removeOperator: RoutesOf<typeof calls.removeOperator> = {
  method: "POST",
  path: "/api/operator/removeOperator",
  access: "operator",
  permission: "operators.manage",
};

export const setRole: RoutesOf<typeof calls.setRole> = {
  method: "POST",
  path: "/api/operator/setRole",
  access: "operator",
  permission: "operators.manage",
};

export const withdrawInvitation: RoutesOf<typeof calls.withdrawInvitation> = {
  method: "POST",
  path: "/api/operator/withdrawInvitation",
  access: "operator",
  permission: "operators.manage",
};
