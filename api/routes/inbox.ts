// Generated from api/inbox.ts by `npm run routes`; a test keeps it up to date.

import type { RoutesOf } from "#api/call.ts";
import type * as calls from "#api/inbox.ts";

export const getInbox: RoutesOf<typeof calls.getInbox> = {
  method: "GET",
  path: "/api/record/getInbox",
  access: "user",
};

export const getUnread: RoutesOf<typeof calls.getUnread> = {
  method: "GET",
  path: "/api/record/getUnread",
  access: "user",
};

export const markInboxRead: RoutesOf<typeof calls.markInboxRead> = {
  method: "POST",
  path: "/api/record/markInboxRead",
  access: "user",
};
