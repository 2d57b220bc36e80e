// Generated from api/viewing.ts by `npm run routes`; a test keeps it up to date.

import type { RoutesOf } from "#api/call.ts";
import type * as calls from "#api/viewing.ts";

export const endViewings: RoutesOf<typeof calls.endViewings> = {
  method: "POST",
  path: "/api/user/endViewings",
  access: "user",
};

export const getViewings: RoutesOf<typeof calls.getViewings> = {
  method: "GET",
  path: "/api/user/getViewings",
  access: "user",
};

export const makeViewCode: RoutesOf<typeof calls.makeViewCode> = {
  method: "POST",
  path: "/api/user/makeViewCode",
  access: "user",
};
