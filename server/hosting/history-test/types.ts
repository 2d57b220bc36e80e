import type { HistoryTest } from "#core/backtest/historyTest.ts";
import type { PoolConfig } from "#core/hosting/types.ts";
import type { HistoryInputs } from "#server/market/source.ts";

/** A pool to be tested; `start` in whole units of home. */
interface TestedPool {
  id: string;
  config: PoolConfig;
  start: bigint;
}

/** The job of a thread. */
export interface HistoryJob {
  inputs: HistoryInputs;
  pools: readonly TestedPool[];
}

/** The result for one pool; null if the history is too short. */
export interface PoolHistoryTest {
  poolId: string;
  test: HistoryTest | null;
}
