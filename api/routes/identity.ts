// Generated from api/identity.ts by `npm run routes`; a test keeps it up to date.

import type { RoutesOf } from "#api/call.ts";
import type * as calls from "#api/identity.ts";

export const drawIdentity: RoutesOf<typeof calls.drawIdentity> = {
  method: "POST",
  path: "/api/user/drawIdentity",
  access: "user",
};

export const getRealNameImage: RoutesOf<typeof calls.getRealNameImage> = {
  method: "GET",
  path: "/api/user/getRealNameImage",
  access: "user",
};

export const getRealNameInfo: RoutesOf<typeof calls.getRealNameInfo> = {
  method: "GET",
  path: "/api/user/getRealNameInfo",
  access: "user",
};

export const getRealNameList: RoutesOf<typeof calls.getRealNameList> = {
  method: "GET",
  path: "/api/user/getRealNameList",
  access: "user",
};

export const getSpecimenList: RoutesOf<typeof calls.getSpecimenList> = {
  method: "GET",
  path: "/api/user/getSpecimenList",
  access: "user",
};

export const purgeRealName: RoutesOf<typeof calls.purgeRealName> = {
  method: "POST",
  path: "/api/user/purgeRealName",
  access: "user",
};

export const realNameVerify: RoutesOf<typeof calls.realNameVerify> = {
  method: "POST",
  path: "/api/user/realNameVerify",
  access: "user",
  upload: {
    field: "image",
  },
};
