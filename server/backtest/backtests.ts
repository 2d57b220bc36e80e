import type { BacktestSource } from "#api/backtest.ts";
import { createFiles, type PriceFiles } from "#server/backtest/files.ts";
import { createRecordedPrices } from "#server/backtest/recorded.ts";
import { type BacktestRuns, createRuns } from "#server/backtest/runs.ts";
import type { Recording } from "#server/market/replay/recording.ts";
import type { AppContext } from "#server/platform/context.ts";
import type { Job } from "#server/platform/jobs.ts";

export interface BacktestService {
  jobs: readonly Job[];
  files: PriceFiles;
  runs: BacktestRuns;
  sources(userId: string): Promise<{ world: BacktestSource | null; files: BacktestSource | null }>;
  close(): Promise<void>;
}

export interface HistoryDeps {
  /** The recording the world replays; null when its market is simulated. */
  recording: Recording | null;
}

/** Backtests of strategies (docs/rules/hosting.md, "Tests that people run"). */
export async function createBacktest(
  ctx: AppContext,
  { recording }: HistoryDeps,
): Promise<BacktestService> {
  const files = createFiles(ctx);
  const recordedPrices = recording && (await createRecordedPrices(recording));
  const world = () => recordedPrices?.source(ctx.clock.nowMs()) ?? null;
  const runs = createRuns(ctx, {
    source: async (userId, sourceId) => (sourceId === "world" ? world() : files.source(userId)),
    toRead: async (userId, sourceId) =>
      sourceId === "world" ? (recordedPrices?.toRead() ?? []) : files.toRead(userId),
  });
  return {
    jobs: [
      {
        name: "backtest.sweep",
        everySeconds: 600,
        run: async () => {
          await files.sweep();
          await runs.sweep();
        },
      },
    ] satisfies readonly Job[],
    files,
    runs,
    sources: async (userId) => ({ world: world(), files: await files.source(userId) }),
    close: () => runs.close(),
  };
}
