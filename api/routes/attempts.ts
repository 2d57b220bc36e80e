// Generated from api/attempts.ts by `npm run routes`; a test keeps it up to date.

import type * as calls from "#api/attempts.ts";
import type { RoutesOf } from "#api/call.ts";

export const getAttempts: RoutesOf<typeof calls.getAttempts> = {
  method: "GET",
  path: "/api/user/getAttempts",
  access: "user",
};

export const startOver: RoutesOf<typeof calls.startOver> = {
  method: "POST",
  path: "/api/user/startOver",
  access: "user",
  money: true,
};
