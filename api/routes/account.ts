// Generated from api/account.ts by `npm run routes`; a test keeps it up to date.

import type * as calls from "#api/account.ts";
import type { RoutesOf } from "#api/call.ts";

export const deleteAccount: RoutesOf<typeof calls.deleteAccount> = {
  method: "POST",
  path: "/api/user/deleteAccount",
  access: "user",
};

export const getDeletion: RoutesOf<typeof calls.getDeletion> = {
  method: "GET",
  path: "/api/user/getDeletion",
  access: "user",
};

export const getDeletionReceipt: RoutesOf<typeof calls.getDeletionReceipt> = {
  method: "GET",
  path: "/api/user/getDeletionReceipt",
  access: "public",
};

export const getExport: RoutesOf<typeof calls.getExport> = {
  method: "GET",
  path: "/api/user/getExport",
  access: "user",
};
