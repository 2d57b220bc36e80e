// Generated from api/contracts.ts by `npm run routes`; a test keeps it up to date.

import type { RoutesOf } from "#api/call.ts";
import type * as calls from "#api/contracts.ts";

export const excludeMyself: RoutesOf<typeof calls.excludeMyself> = {
  method: "POST",
  path: "/api/contract/excludeMyself",
  access: "user",
};

export const findOrderStatus: RoutesOf<typeof calls.findOrderStatus> = {
  method: "GET",
  path: "/api/contract/findOrderStatus",
  access: "user",
};

export const followContract: RoutesOf<typeof calls.followContract> = {
  method: "POST",
  path: "/api/contract/followContract",
  access: "user",
};

export const getContractDetails: RoutesOf<typeof calls.getContractDetails> = {
  method: "GET",
  path: "/api/contract/getContractDetails",
  access: "public",
};

export const getContractList: RoutesOf<typeof calls.getContractList> = {
  method: "GET",
  path: "/api/contract/getContractList",
  access: "public",
};

export const getKlineData: RoutesOf<typeof calls.getKlineData> = {
  method: "GET",
  path: "/api/contract/getKlineData",
  access: "public",
};

export const getLuck: RoutesOf<typeof calls.getLuck> = {
  method: "GET",
  path: "/api/contract/getLuck",
  access: "user",
};

export const getOrderCosts: RoutesOf<typeof calls.getOrderCosts> = {
  method: "GET",
  path: "/api/contract/getOrderCosts",
  access: "user",
};

export const getOrderList: RoutesOf<typeof calls.getOrderList> = {
  method: "GET",
  path: "/api/contract/getOrderList",
  access: "user",
};

export const getOrderResults: RoutesOf<typeof calls.getOrderResults> = {
  method: "GET",
  path: "/api/contract/getOrderResults",
  access: "user",
};

export const getReceipt: RoutesOf<typeof calls.getReceipt> = {
  method: "GET",
  path: "/api/contract/getReceipt",
  access: "user",
};

export const getSelfLimits: RoutesOf<typeof calls.getSelfLimits> = {
  method: "GET",
  path: "/api/contract/getSelfLimits",
  access: "user",
};

export const placeOrder: RoutesOf<typeof calls.placeOrder> = {
  method: "POST",
  path: "/api/contract/contractPlaceOrder",
  access: "user",
  money: true,
};

export const setLossLimit: RoutesOf<typeof calls.setLossLimit> = {
  method: "POST",
  path: "/api/contract/setLossLimit",
  access: "user",
};
