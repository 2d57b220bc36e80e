// Generated from api/operator/debrief.ts by `npm run routes`; a test keeps it up to date.

import type { RoutesOf } from "#api/call.ts";
import type * as calls from "#api/operator/debrief.ts";

export const openDebrief: RoutesOf<typeof calls.openDebrief> = {
  method: "POST",
  path: "/api/operator/class/openDebrief",
  access: "operator",
  permission: "class.debrief",
};
