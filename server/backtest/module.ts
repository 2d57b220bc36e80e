import { createBacktest, type HistoryDeps } from "#server/backtest/backtests.ts";
import { backtestRoutes } from "#server/backtest/routes.ts";
import { defineModule } from "#server/module/module.ts";
import { createPersonRows } from "#server/platform/db/personRows.ts";

export const backtestModule = defineModule<HistoryDeps>()({
  name: "backtest",
  needs: ["recording"],
  create: async (ctx, deps) => {
    const service = await createBacktest(ctx, deps);
    const { files, runs } = service;
    const rows = createPersonRows(ctx);
    return {
      service,
      routes: (app) => backtestRoutes(app, service),
      jobs: service.jobs,
      personalData: [
        {
          name: "history_tests",
          exportFor: async (userId) => ({
            json: {
              files: await rows.all(userId, {
                table: "backtest_file",
                order: "blob",
                without: ["blob", "name_index"],
                opened: { name_encrypted: "name" },
              }),
              tries: await rows.all(userId, {
                table: "backtest_trial",
                order: ["data_hash", "setting"],
              }),
            },
          }),
          lists: {
            tests: rows.list({
              table: "backtest_run",
              order: "seq",
              without: ["trades_encrypted"],
              opened: { what_encrypted: "what", result_encrypted: "result" },
            }),
          },
          blobs: (userId) => files.contents(userId),
          erase: async (userId) => {
            await runs.erase(userId);
            await files.erase(userId);
          },
        },
      ],
      stop: () => service.close(),
    };
  },
});
