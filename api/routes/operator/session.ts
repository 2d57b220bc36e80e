// Generated from api/operator/session.ts by `npm run routes`; a test keeps it up to date.

import type { RoutesOf } from "#api/call.ts";
import type * as calls from "#api/operator/session.ts";

export const claim: RoutesOf<typeof calls.claim> = {
  method: "POST",
  path: "/api/operator/claim",
  access: "user",
};

export const getMe: RoutesOf<typeof calls.getMe> = {
  method: "GET",
  path: "/api/operator/getMe",
  access: "user",
};

export const getPowers: RoutesOf<typeof calls.getPowers> = {
  method: "GET",
  path: "/api/operator/getPowers",
  access: "public",
};

export const getRaiseNonce: RoutesOf<typeof calls.getRaiseNonce> = {
  method: "GET",
  path: "/api/operator/getRaiseNonce",
  access: "operator",
};

export const leave: RoutesOf<typeof calls.leave> = {
  method: "POST",
  path: "/api/operator/leave",
  access: "operator",
};

export const lower: RoutesOf<typeof calls.lower> = {
  method: "POST",
  path: "/api/operator/lower",
  access: "operator",
};

export const raise: RoutesOf<typeof calls.raise> = {
  method: "POST",
  path: "/api/operator/raise",
  access: "operator",
};
