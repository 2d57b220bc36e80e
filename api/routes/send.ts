// Generated from api/send.ts by `npm run routes`; a test keeps it up to date.

import type { RoutesOf } from "#api/call.ts";
import type * as calls from "#api/send.ts";

export const checkRecipient: RoutesOf<typeof calls.checkRecipient> = {
  method: "GET",
  path: "/api/user/checkRecipient",
  access: "user",
};

export const getReceiveAddress: RoutesOf<typeof calls.getReceiveAddress> = {
  method: "GET",
  path: "/api/user/getReceiveAddress",
  access: "user",
};

export const getRecipients: RoutesOf<typeof calls.getRecipients> = {
  method: "GET",
  path: "/api/user/getRecipients",
  access: "user",
};

export const send: RoutesOf<typeof calls.send> = {
  method: "POST",
  path: "/api/user/send",
  access: "user",
  money: true,
};
