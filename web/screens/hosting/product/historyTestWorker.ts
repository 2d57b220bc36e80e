import { checkHistoryTest, type HistoryTestCheck } from "#core/backtest/checkHistoryTest.ts";
import type { HistoryTest } from "#core/backtest/historyTest.ts";
import type { PoolConfig } from "#core/hosting/types.ts";
import type { Checkpoint, NoteKey } from "#core/transparency-log/checkpoint.ts";
import { createLogReader } from "#web/features/receipt/logReader.ts";
import { toLogView } from "#web/features/receipt/logView.ts";

/** A test to run again, from leaves of the log at a checkpoint that is already open. */
export interface HistoryCheckJob {
  checkpoint: Checkpoint;
  note: string;
  key: NoteKey;
  begin: number;
  reveal: number;
  pool: { config: PoolConfig; start: bigint };
  test: HistoryTest;
}

export type HistoryCheck = HistoryTestCheck | "unread";

async function check(job: HistoryCheckJob): Promise<HistoryCheck> {
  const { begin, reveal, checkpoint, note, key } = job;
  const entries = await toLogView(createLogReader(), checkpoint, note, key)
    .entries([0, begin, reveal])
    .catch(() => null);
  if (!entries) return "unread";
  const findLeaf = (index: number) => entries.get(index) ?? new Uint8Array();
  const leaves = { world: findLeaf(0), begin: findLeaf(begin), reveal: findLeaf(reveal) };
  return checkHistoryTest(leaves, job.pool, job.test);
}

/** One test for each worker, because it computes for seconds. */
self.addEventListener("message", ({ data }: MessageEvent<HistoryCheckJob>) => {
  void check(data).then((checked) => self.postMessage(checked));
});
