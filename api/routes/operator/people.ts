// Generated from api/operator/people.ts by `npm run routes`; a test keeps it up to date.

import type { RoutesOf } from "#api/call.ts";
import type * as calls from "#api/operator/people.ts";

export const closeViewing: RoutesOf<typeof calls.closeViewing> = {
  method: "POST",
  path: "/api/operator/people/closeViewing",
  access: "operator",
  permission: "people.view",
};

export const endPersonSessions: RoutesOf<typeof calls.endPersonSessions> = {
  method: "POST",
  path: "/api/operator/people/endSessions",
  access: "operator",
  permission: "people.end_sessions",
};

export const findPerson: RoutesOf<typeof calls.findPerson> = {
  method: "GET",
  path: "/api/operator/people/find",
  access: "operator",
  permission: "people.find",
};

export const findViewing: RoutesOf<typeof calls.findViewing> = {
  method: "GET",
  path: "/api/operator/people/findViewing",
  access: "operator",
  permission: "people.view",
};

export const getPersonAccount: RoutesOf<typeof calls.getPersonAccount> = {
  method: "GET",
  path: "/api/operator/people/getAccount",
  access: "operator",
  permission: "people.view",
};

export const getPersonContractOrders: RoutesOf<typeof calls.getPersonContractOrders> = {
  method: "GET",
  path: "/api/operator/people/getContractOrders",
  access: "operator",
  permission: "people.view",
};

export const getPersonHostingOrders: RoutesOf<typeof calls.getPersonHostingOrders> = {
  method: "GET",
  path: "/api/operator/people/getHostingOrders",
  access: "operator",
  permission: "people.view",
};

export const getPersonLeases: RoutesOf<typeof calls.getPersonLeases> = {
  method: "GET",
  path: "/api/operator/people/getLeases",
  access: "operator",
  permission: "people.view",
};

export const getPersonRecords: RoutesOf<typeof calls.getPersonRecords> = {
  method: "GET",
  path: "/api/operator/people/getRecords",
  access: "operator",
  permission: "people.view",
};

export const getPersonWallet: RoutesOf<typeof calls.getPersonWallet> = {
  method: "GET",
  path: "/api/operator/people/getWallet",
  access: "operator",
  permission: "people.view",
};

export const getPersonWithdrawals: RoutesOf<typeof calls.getPersonWithdrawals> = {
  method: "GET",
  path: "/api/operator/people/getWithdrawals",
  access: "operator",
  permission: "people.view",
};

export const openViewing: RoutesOf<typeof calls.openViewing> = {
  method: "POST",
  path: "/api/operator/people/openViewing",
  access: "operator",
  permission: "people.view",
};

export const payNow: RoutesOf<typeof calls.payNow> = {
  method: "POST",
  path: "/api/operator/people/payNow",
  access: "operator",
  permission: "people.pay_now",
};

export const setSupportLink: RoutesOf<typeof calls.setSupportLink> = {
  method: "POST",
  path: "/api/operator/people/setSupportLink",
  access: "operator",
  permission: "people.support_link",
};

export const setSuspended: RoutesOf<typeof calls.setSuspended> = {
  method: "POST",
  path: "/api/operator/people/setSuspended",
  access: "operator",
  permission: "people.suspend",
};
