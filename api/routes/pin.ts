// Generated from api/pin.ts by `npm run routes`; a test keeps it up to date.

import type { RoutesOf } from "#api/call.ts";
import type * as calls from "#api/pin.ts";

export const getPin: RoutesOf<typeof calls.getPin> = {
  method: "GET",
  path: "/api/user/getPin",
  access: "user",
};

export const removePin: RoutesOf<typeof calls.removePin> = {
  method: "POST",
  path: "/api/user/removePin",
  access: "user",
};

export const setPin: RoutesOf<typeof calls.setPin> = {
  method: "POST",
  path: "/api/user/setPin",
  access: "user",
};
