// Generated from api/recharge.ts by `npm run routes`; a test keeps it up to date.

import type { RoutesOf } from "#api/call.ts";
import type * as calls from "#api/recharge.ts";

export const drawVoucher: RoutesOf<typeof calls.drawVoucher> = {
  method: "POST",
  path: "/api/user/drawVoucher",
  access: "user",
};

export const findRecharge: RoutesOf<typeof calls.findRecharge> = {
  method: "GET",
  path: "/api/user/findRecharge",
  access: "user",
};

export const getRechargeImage: RoutesOf<typeof calls.getRechargeImage> = {
  method: "GET",
  path: "/api/user/getRechargeImage",
  access: "user",
};

export const getRechargeList: RoutesOf<typeof calls.getRechargeList> = {
  method: "GET",
  path: "/api/user/getRechargeList",
  access: "user",
};

export const getRechargeRules: RoutesOf<typeof calls.getRechargeRules> = {
  method: "GET",
  path: "/api/user/getRechargeRules",
  access: "user",
};

export const getVoucherList: RoutesOf<typeof calls.getVoucherList> = {
  method: "GET",
  path: "/api/user/getVoucherList",
  access: "user",
};

export const recharge: RoutesOf<typeof calls.recharge> = {
  method: "POST",
  path: "/api/user/recharge",
  access: "user",
  money: true,
  upload: {
    field: "image",
  },
};
