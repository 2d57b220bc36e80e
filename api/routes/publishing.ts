// Generated from api/publishing.ts by `npm run routes`; a test keeps it up to date.

import type { RoutesOf } from "#api/call.ts";
import type * as calls from "#api/publishing.ts";

export const findNotice: RoutesOf<typeof calls.findNotice> = {
  method: "GET",
  path: "/api/index/findNotice",
  access: "public",
};

export const getHelpLinks: RoutesOf<typeof calls.getHelpLinks> = {
  method: "GET",
  path: "/api/index/getHelpLinks",
  access: "public",
};

export const getNews: RoutesOf<typeof calls.getNews> = {
  method: "GET",
  path: "/api/index/getNews",
  access: "public",
};

export const getNewsList: RoutesOf<typeof calls.getNewsList> = {
  method: "GET",
  path: "/api/index/getNewsList",
  access: "public",
};

export const markNewsRead: RoutesOf<typeof calls.markNewsRead> = {
  method: "POST",
  path: "/api/index/markNewsRead",
  access: "user",
};
