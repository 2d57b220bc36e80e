// Generated from api/records.ts by `npm run routes`; a test keeps it up to date.

import type { RoutesOf } from "#api/call.ts";
import type * as calls from "#api/records.ts";

export const exportRecords: RoutesOf<typeof calls.exportRecords> = {
  method: "GET",
  path: "/api/user/exportRecords",
  access: "user",
};

export const findAccountAndRate: RoutesOf<typeof calls.findAccountAndRate> = {
  method: "GET",
  path: "/api/record/findAccountAndRate",
  access: "user",
};

export const getJournalReceipt: RoutesOf<typeof calls.getJournalReceipt> = {
  method: "GET",
  path: "/api/record/getReceipt",
  access: "user",
};

export const getRecordList: RoutesOf<typeof calls.getRecordList> = {
  method: "GET",
  path: "/api/record/getRecordList",
  access: "user",
};

export const getResultHistory: RoutesOf<typeof calls.getResultHistory> = {
  method: "GET",
  path: "/api/record/getResultHistory",
  access: "user",
};

export const getTransferRecord: RoutesOf<typeof calls.getTransferRecord> = {
  method: "GET",
  path: "/api/user/getTransferRecord",
  access: "user",
};
