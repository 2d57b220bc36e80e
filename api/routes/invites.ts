// Generated from api/invites.ts by `npm run routes`; a test keeps it up to date.

import type { RoutesOf } from "#api/call.ts";
import type * as calls from "#api/invites.ts";

export const answerInvite: RoutesOf<typeof calls.answerInvite> = {
  method: "POST",
  path: "/api/user/answerInvite",
  access: "user",
};

export const getInviteInfo: RoutesOf<typeof calls.getInviteInfo> = {
  method: "GET",
  path: "/api/user/getInviteInfo",
  access: "user",
};

export const getTeamList: RoutesOf<typeof calls.getTeamList> = {
  method: "GET",
  path: "/api/user/getTeamList",
  access: "user",
};

export const setInviteName: RoutesOf<typeof calls.setInviteName> = {
  method: "POST",
  path: "/api/user/setInviteName",
  access: "user",
};
