// Generated from api/market.ts by `npm run routes`; a test keeps it up to date.

import type { RoutesOf } from "#api/call.ts";
import type * as calls from "#api/market.ts";

export const getSeconds: RoutesOf<typeof calls.getSeconds> = {
  method: "GET",
  path: "/api/market/getSeconds",
  access: "public",
};

export const getVenues: RoutesOf<typeof calls.getVenues> = {
  method: "GET",
  path: "/api/market/getVenues",
  access: "public",
};
