import * as api from "#api/backtest.ts";
import { backtestLimits } from "#core/backtest/limits.ts";
import { marginBp } from "#core/hosting/strategy/parameters.ts";
import type { BacktestService } from "#server/backtest/backtests.ts";
import { exportDays, exportJson, exportTrades } from "#server/backtest/export.ts";
import { ApiError } from "#server/platform/apiError.ts";
import type { App } from "#server/platform/http/context.ts";
import { FileAnswer } from "#server/platform/http/download.ts";
import { fileRoute, route } from "#server/platform/http/route.ts";
import { mountUpload, UploadedFile } from "#server/platform/http/upload.ts";

/** Mounts every call of `api/backtest.ts`. */
export function backtestRoutes(app: App, backtest: BacktestService): void {
  const { files, runs } = backtest;
  route(app, api.getHistorySources, async (_input, { session }) => ({
    ...(await backtest.sources(session.userId)),
    limits: { ...backtestLimits },
    margin_bp: Number(marginBp),
  }));
  mountUpload(app, api.uploadHistoryFile, { tooLarge: "history.too_large" }, (scope) => {
    route(scope, api.uploadHistoryFile, async (input, { session }) => {
      const { file, set_id: setId, name } = input;
      if (!(file instanceof UploadedFile))
        throw new ApiError("request.malformed", { field: "file" });
      return files.add(session.userId, { setId, name, bytes: file.bytes });
    });
  });
  route(app, api.keepHistoryFiles, ({ set_id: setId, files: count }, { session }) =>
    files.retain(session.userId, { setId, files: count }),
  );
  route(app, api.removeHistoryFiles, async (_input, { session }) => {
    await files.remove(session.userId);
    return {};
  });
  route(app, api.runHistoryTest, (input, { session }) => {
    const { source, pool, from_ms: fromMs, to_ms: toMs, margin_bp: margin } = input;
    return runs.start(session.userId, { source, pool, fromMs, toMs, marginBp: margin });
  });
  route(app, api.cancelHistoryTest, ({ run_id: id }, { session }) =>
    runs.cancel(session.userId, id),
  );
  route(app, api.findHistoryTest, ({ run_id: id }, { session }) => runs.find(session.userId, id));
  route(app, api.getHistoryTests, async (_input, { session }) => ({
    items: await runs.list(session.userId),
  }));
  route(app, api.getHistoryTrades, async (input, { session }) => {
    const { run_id: id, friction, page, page_size: size } = input;
    const trades = (await runs.over(session.userId, id)).trades[friction];
    const from = (page - 1) * size;
    return {
      items: trades.slice(from, from + size),
      page,
      page_size: size,
      has_more: from + size < trades.length,
      // Nothing is appended to a finished backtest.
      before: null,
    };
  });
  mountExport(app, backtest);
}

function mountExport(app: App, { runs }: BacktestService): void {
  fileRoute(app, api.exportHistoryTest, async (input, { session }) => {
    const { run_id: id, friction, what, format } = input;
    const backtest = await runs.over(session.userId, id);
    const text =
      format === "json"
        ? exportJson(backtest)
        : what === "days"
          ? exportDays(backtest, friction)
          : exportTrades(backtest, friction);
    const part = format === "json" ? "" : `-${friction}-${what}`;
    return new FileAnswer(
      `drydock-practice-history-${backtest.test.run_id.slice(0, 8)}${part}.${format}`,
      format === "json" ? "application/json; charset=utf-8" : "text/csv; charset=utf-8",
      text,
    );
  });
}
