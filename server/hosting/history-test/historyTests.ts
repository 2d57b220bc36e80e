import { sql } from "kysely";
import type { HistoryAnswer } from "#api/hosting/historyTest.ts";
import type { HistoryTest } from "#core/backtest/historyTest.ts";
import { assets } from "#core/hosting/assets.ts";
import { bytesToHex, hexToBytes } from "#core/transparency-log/bytes.ts";
import { runInThread } from "#server/hosting/history-test/thread.ts";
import type { PoolHistoryTest } from "#server/hosting/history-test/types.ts";
import type { Pools } from "#server/hosting/pools.ts";
import type { HostingDeps } from "#server/hosting/types.ts";
import type { AppContext } from "#server/platform/context.ts";
import type { Job } from "#server/platform/jobs.ts";

/** Real time between two searches for untested pools, and attempts at a failing test. */
const everySeconds = 30;
const triesMax = 3;

/**
 * Tests of pools on the market before their world (docs/rules/hosting.md, "Before a pool began").
 * Computed once, by the process that closes seconds: only it has the seed of a simulated world's
 * first day before that is revealed.
 */
export function createHistoryTests(
  { database: { db }, world, logger }: AppContext,
  { market }: Pick<HostingDeps, "market">,
  pools: Pools,
) {
  let tries = 0;

  const readTested = async () => {
    const { rows } = await sql<{ pool_id: string }>`
      select pool_id from hosting_history_test`.execute(db);
    return new Set(rows.map((row) => row.pool_id));
  };
  const insert = async ({ poolId, test }: PoolHistoryTest, recording: Uint8Array | null) => {
    const text = test && JSON.stringify(test);
    await sql`insert into hosting_history_test (pool_id, test, recording)
      values (${poolId}, ${text}, ${recording}) on conflict do nothing`.execute(db);
  };
  const testAll = async (signal: AbortSignal) => {
    if (world.market.kind === "live" || tries >= triesMax) return;
    const testedIds = await readTested();
    const untestedPools = (await pools.all()).filter(({ id }) => !testedIds.has(id));
    if (untestedPools.length === 0) return;
    const inputs = await market.historyInputs();
    if (!inputs) {
      for (const { id: poolId } of untestedPools) await insert({ poolId, test: null }, null);
      return;
    }
    const recording = inputs.kind === "recording" ? hexToBytes(inputs.hash) : null;
    const jobs = untestedPools.map(({ id, config, seed }) => ({
      id,
      config,
      start: seed / 10n ** BigInt(assets[config.home].scale),
    }));
    const writes: Promise<void>[] = [];
    try {
      await runInThread({ inputs, pools: jobs }, signal, (test) => {
        const write = insert(test, recording);
        write.catch(() => {}); // awaited below, when the thread has ended
        writes.push(write);
      });
    } catch (error) {
      // Stopped, or the lock is lost: not a failure of the test.
      if (!signal.aborted) {
        tries += 1;
        logger.error({ err: error, tries }, "pools could not be tested on the market's history");
      }
    }
    // A test that could not be stored is no result: the job is run again.
    await Promise.all(writes);
  };

  return {
    job: {
      name: "hosting.history_test",
      service: "feed",
      everySeconds,
      run: testAll,
    } satisfies Job,
    /** The test of a pool, and the inputs needed to repeat it. */
    read: async (poolId: string): Promise<HistoryAnswer> => {
      if (world.market.kind === "live") return { state: "none", test: null, inputs: null };
      const { rows } = await sql<{ test: string | null; recording: Buffer | null }>`
        select test, recording from hosting_history_test where pool_id = ${poolId}`.execute(db);
      const [row] = rows;
      if (!row) return { state: "pending", test: null, inputs: null };
      if (row.test === null) return { state: "too_short", test: null, inputs: null };
      const test = JSON.parse(row.test) as HistoryTest;
      if (row.recording)
        return {
          state: "ready",
          test,
          inputs: { kind: "recording", sha256: bytesToHex(row.recording) },
        };
      const leaves = await market.firstDayLeaves();
      if (!leaves) throw new Error("a simulated world has no first day");
      const { begin, reveal } = leaves;
      return {
        state: "ready",
        test,
        inputs: { kind: "simulated", begin_leaf: begin, reveal_leaf: reveal },
      };
    },
  };
}
