// Generated from api/receiptLinks.ts by `npm run routes`; a test keeps it up to date.

import type { RoutesOf } from "#api/call.ts";
import type * as calls from "#api/receiptLinks.ts";

export const createReceiptLink: RoutesOf<typeof calls.createReceiptLink> = {
  method: "POST",
  path: "/api/record/createReceiptLink",
  access: "user",
};

export const getReceiptLinks: RoutesOf<typeof calls.getReceiptLinks> = {
  method: "GET",
  path: "/api/record/getReceiptLinks",
  access: "user",
};

export const openReceiptLink: RoutesOf<typeof calls.openReceiptLink> = {
  method: "POST",
  path: "/api/record/openReceiptLink",
  access: "public",
};

export const revokeReceiptLink: RoutesOf<typeof calls.revokeReceiptLink> = {
  method: "POST",
  path: "/api/record/revokeReceiptLink",
  access: "user",
};
