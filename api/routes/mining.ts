// Generated from api/mining.ts by `npm run routes`; a test keeps it up to date.

import type { RoutesOf } from "#api/call.ts";
import type * as calls from "#api/mining.ts";

export const endLease: RoutesOf<typeof calls.endLease> = {
  method: "POST",
  path: "/api/machine/endLease",
  access: "user",
  money: true,
};

export const findLease: RoutesOf<typeof calls.findLease> = {
  method: "GET",
  path: "/api/machine/findLease",
  access: "user",
};

export const getLeaseResults: RoutesOf<typeof calls.getLeaseResults> = {
  method: "GET",
  path: "/api/machine/getLeaseResults",
  access: "user",
};

export const getNetwork: RoutesOf<typeof calls.getNetwork> = {
  method: "GET",
  path: "/api/machine/getNetwork",
  access: "public",
};

export const getOrderList: RoutesOf<typeof calls.getOrderList> = {
  method: "GET",
  path: "/api/machine/getOrderList",
  access: "user",
};

export const getPayoutList: RoutesOf<typeof calls.getPayoutList> = {
  method: "GET",
  path: "/api/machine/getPayoutList",
  access: "user",
};

export const getProductList: RoutesOf<typeof calls.getProductList> = {
  method: "GET",
  path: "/api/machine/getProductList",
  access: "public",
};

export const getReceipt: RoutesOf<typeof calls.getReceipt> = {
  method: "GET",
  path: "/api/machine/getReceipt",
  access: "user",
};

export const leaseProduct: RoutesOf<typeof calls.leaseProduct> = {
  method: "POST",
  path: "/api/machine/leaseProduct",
  access: "user",
  money: true,
};

export const myMachine: RoutesOf<typeof calls.myMachine> = {
  method: "GET",
  path: "/api/machine/myMachine",
  access: "user",
};
