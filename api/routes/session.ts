// Generated from api/session.ts by `npm run routes`; a test keeps it up to date.

import type { RoutesOf } from "#api/call.ts";
import type * as calls from "#api/session.ts";

export const authorize: RoutesOf<typeof calls.authorize> = {
  method: "POST",
  path: "/api/user/authorize",
  access: "user",
};

export const createSession: RoutesOf<typeof calls.createSession> = {
  method: "POST",
  path: "/api/user/create",
  access: "public",
};

export const getNonce: RoutesOf<typeof calls.getNonce> = {
  method: "GET",
  path: "/api/user/nonce",
  access: "public",
};

export const getOwnerSalt: RoutesOf<typeof calls.getOwnerSalt> = {
  method: "GET",
  path: "/api/user/getOwnerSalt",
  access: "user",
};

export const getUserInfo: RoutesOf<typeof calls.getUserInfo> = {
  method: "POST",
  path: "/api/user/userinfo",
  access: "user",
};

export const listAuthorisations: RoutesOf<typeof calls.listAuthorisations> = {
  method: "GET",
  path: "/api/user/getAuthorisationList",
  access: "user",
};

export const listSessions: RoutesOf<typeof calls.listSessions> = {
  method: "GET",
  path: "/api/user/getSessionList",
  access: "user",
};

export const revokeAllSessions: RoutesOf<typeof calls.revokeAllSessions> = {
  method: "POST",
  path: "/api/user/revokeAllSessions",
  access: "user",
};

export const revokeAuthorisation: RoutesOf<typeof calls.revokeAuthorisation> = {
  method: "POST",
  path: "/api/user/revokeAuthorisation",
  access: "user",
};

export const revokeSession: RoutesOf<typeof calls.revokeSession> = {
  method: "POST",
  path: "/api/user/revokeSession",
  access: "user",
};

export const signOut: RoutesOf<typeof calls.signOut> = {
  method: "POST",
  path: "/api/user/signOut",
  access: "user",
};
