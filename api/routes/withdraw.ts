// Generated from api/withdraw.ts by `npm run routes`; a test keeps it up to date.

import type { RoutesOf } from "#api/call.ts";
import type * as calls from "#api/withdraw.ts";

export const addAddress: RoutesOf<typeof calls.addAddress> = {
  method: "POST",
  path: "/api/user/addAddress",
  access: "user",
};

export const cancelWithdraw: RoutesOf<typeof calls.cancelWithdraw> = {
  method: "POST",
  path: "/api/user/cancelWithdraw",
  access: "user",
  money: true,
};

export const ensureOutsideAddress: RoutesOf<typeof calls.ensureOutsideAddress> = {
  method: "POST",
  path: "/api/user/ensureOutsideAddress",
  access: "user",
};

export const findWithdraw: RoutesOf<typeof calls.findWithdraw> = {
  method: "GET",
  path: "/api/user/findWithdraw",
  access: "user",
};

export const getAddressBook: RoutesOf<typeof calls.getAddressBook> = {
  method: "GET",
  path: "/api/user/getAddressBook",
  access: "user",
};

export const getWithdrawList: RoutesOf<typeof calls.getWithdrawList> = {
  method: "GET",
  path: "/api/user/getWithdrawList",
  access: "user",
};

export const getWithdrawTerms: RoutesOf<typeof calls.getWithdrawTerms> = {
  method: "GET",
  path: "/api/user/getWithdrawTerms",
  access: "user",
};

export const removeAddress: RoutesOf<typeof calls.removeAddress> = {
  method: "POST",
  path: "/api/user/removeAddress",
  access: "user",
};

export const renameAddress: RoutesOf<typeof calls.renameAddress> = {
  method: "POST",
  path: "/api/user/renameAddress",
  access: "user",
};

export const withdraw: RoutesOf<typeof calls.withdraw> = {
  method: "POST",
  path: "/api/user/withdraw",
  access: "user",
  money: true,
};
