// Generated from api/wallet.ts by `npm run routes`; a test keeps it up to date.

import type { RoutesOf } from "#api/call.ts";
import type * as calls from "#api/wallet.ts";

export const getWalletDetails: RoutesOf<typeof calls.getWalletDetails> = {
  method: "GET",
  path: "/api/user/getWalletDetails",
  access: "user",
};

export const getWalletHistory: RoutesOf<typeof calls.getWalletHistory> = {
  method: "GET",
  path: "/api/user/getWalletHistory",
  access: "user",
};

export const getWalletList: RoutesOf<typeof calls.getWalletList> = {
  method: "GET",
  path: "/api/user/getWalletList",
  access: "user",
};
