// Generated from api/hosting.ts by `npm run routes`; a test keeps it up to date.

import type { RoutesOf } from "#api/call.ts";
import type * as calls from "#api/hosting.ts";

export const findOrder: RoutesOf<typeof calls.findOrder> = {
  method: "GET",
  path: "/api/pledge/findOrder",
  access: "user",
};

export const findTrusteeshipInfo: RoutesOf<typeof calls.findTrusteeshipInfo> = {
  method: "GET",
  path: "/api/pledge/findTrusteeshipInfo",
  access: "user",
};

export const getDailyEarnings: RoutesOf<typeof calls.getDailyEarnings> = {
  method: "GET",
  path: "/api/pledge/getDailyEarnings",
  access: "user",
};

export const getHistoryTest: RoutesOf<typeof calls.getHistoryTest> = {
  method: "GET",
  path: "/api/pledge/getHistoryTest",
  access: "public",
};

export const getMarkReceipt: RoutesOf<typeof calls.getMarkReceipt> = {
  method: "GET",
  path: "/api/pledge/getMarkReceipt",
  access: "public",
};

export const getNavHistory: RoutesOf<typeof calls.getNavHistory> = {
  method: "GET",
  path: "/api/pledge/getNavHistory",
  access: "public",
};

export const getOrderList: RoutesOf<typeof calls.getOrderList> = {
  method: "GET",
  path: "/api/pledge/getOrderList",
  access: "user",
};

export const getPoolResults: RoutesOf<typeof calls.getPoolResults> = {
  method: "GET",
  path: "/api/pledge/getPoolResults",
  access: "user",
};

export const getProductList: RoutesOf<typeof calls.getProductList> = {
  method: "GET",
  path: "/api/pledge/getProductList",
  access: "public",
};

export const getReceipt: RoutesOf<typeof calls.getReceipt> = {
  method: "GET",
  path: "/api/pledge/getReceipt",
  access: "user",
};

export const getRun: RoutesOf<typeof calls.getRun> = {
  method: "GET",
  path: "/api/pledge/getRun",
  access: "public",
};

export const getTrade: RoutesOf<typeof calls.getTrade> = {
  method: "GET",
  path: "/api/pledge/getTrade",
  access: "public",
};

export const getTradeReceipt: RoutesOf<typeof calls.getTradeReceipt> = {
  method: "GET",
  path: "/api/pledge/getTradeReceipt",
  access: "public",
};

export const getTrades: RoutesOf<typeof calls.getTrades> = {
  method: "GET",
  path: "/api/pledge/getTrades",
  access: "public",
};

export const redeem: RoutesOf<typeof calls.redeem> = {
  method: "POST",
  path: "/api/pledge/redeem",
  access: "user",
  money: true,
};

export const trusteeshipProduct: RoutesOf<typeof calls.trusteeshipProduct> = {
  method: "POST",
  path: "/api/pledge/trusteeshipProduct",
  access: "user",
  money: true,
};
