// Generated from api/backtest.ts by `npm run routes`; a test keeps it up to date.

import type * as calls from "#api/backtest.ts";
import type { RoutesOf } from "#api/call.ts";

export const cancelHistoryTest: RoutesOf<typeof calls.cancelHistoryTest> = {
  method: "POST",
  path: "/api/history/cancelHistoryTest",
  access: "user",
};

export const exportHistoryTest: RoutesOf<typeof calls.exportHistoryTest> = {
  method: "GET",
  path: "/api/history/exportHistoryTest",
  access: "user",
};

export const findHistoryTest: RoutesOf<typeof calls.findHistoryTest> = {
  method: "GET",
  path: "/api/history/findHistoryTest",
  access: "user",
};

export const getHistorySources: RoutesOf<typeof calls.getHistorySources> = {
  method: "GET",
  path: "/api/history/getHistorySources",
  access: "user",
};

export const getHistoryTests: RoutesOf<typeof calls.getHistoryTests> = {
  method: "GET",
  path: "/api/history/getHistoryTests",
  access: "user",
};

export const getHistoryTrades: RoutesOf<typeof calls.getHistoryTrades> = {
  method: "GET",
  path: "/api/history/getHistoryTrades",
  access: "user",
};

export const keepHistoryFiles: RoutesOf<typeof calls.keepHistoryFiles> = {
  method: "POST",
  path: "/api/history/keepHistoryFiles",
  access: "user",
};

export const removeHistoryFiles: RoutesOf<typeof calls.removeHistoryFiles> = {
  method: "POST",
  path: "/api/history/removeHistoryFiles",
  access: "user",
};

export const runHistoryTest: RoutesOf<typeof calls.runHistoryTest> = {
  method: "POST",
  path: "/api/history/runHistoryTest",
  access: "user",
};

export const uploadHistoryFile: RoutesOf<typeof calls.uploadHistoryFile> = {
  method: "POST",
  path: "/api/history/uploadHistoryFile",
  access: "user",
  upload: {
    field: "file",
  },
};
