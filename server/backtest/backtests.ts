import type { HistorySource } from "#api/backtest.ts";
import { createFiles, type Files } from "#server/backtest/files.ts";
import { createRecorded } from "#server/backtest/recorded.ts";
import { createRuns, type Runs } from "#server/backtest/runs.ts";
import type { Recording } from "#server/market/replay/recording.ts";
import type { Parts } from "#server/platform/context.ts";

export interface History {
  files: Files;
  runs: Runs;
  sources(userId: string): Promise<{ world: HistorySource | null; files: HistorySource | null }>;
  close(): Promise<void>;
}

export interface HistoryDeps {
  /** What the world replays; null: its market is simulated. */
  recording: Recording | null;
}

/** Testing strategies on history (docs/rules/hosting.md, "Tests that people run"). */
export async function createHistory(parts: Parts, { recording }: HistoryDeps): Promise<History> {
  const files = createFiles(parts);
  const recorded = recording && (await createRecorded(recording));
  const world = () => recorded?.source(parts.clock.nowMs()) ?? null;
  const runs = createRuns(parts, {
    source: async (userId, which) => (which === "world" ? world() : files.source(userId)),
    toRead: async (userId, which) =>
      which === "world" ? (recorded?.toRead() ?? []) : files.toRead(userId),
  });
  parts.jobs.every("history.sweep", 600, async () => {
    await files.sweep();
    await runs.sweep();
  });
  return {
    files,
    runs,
    sources: async (userId) => ({ world: world(), files: await files.source(userId) }),
    close: () => runs.close(),
  };
}
