import { readBeliefSubjects } from "#server/hosting/beliefSubjects.ts";
import { explainHosting } from "#server/hosting/explain.ts";
import { createHistoryTests } from "#server/hosting/history-test/historyTests.ts";
import { createOrderQueries } from "#server/hosting/orderQueries.ts";
import { createOrderPlacement, requirePool } from "#server/hosting/place.ts";
import { createPoolQueries } from "#server/hosting/poolQueries.ts";
import { readPoolResults } from "#server/hosting/poolResults.ts";
import { createPools } from "#server/hosting/pools.ts";
import { createReceipts } from "#server/hosting/receipt.ts";
import { createRunBroadcaster } from "#server/hosting/run/runBroadcaster.ts";
import { createRunner } from "#server/hosting/run/strategyRunner.ts";
import { computeTotals, createPoolSummaries, toPoolSummary } from "#server/hosting/summaries.ts";
import type { HostingDeps } from "#server/hosting/types.ts";
import { valueHoldings } from "#server/hosting/valuation.ts";
import { resolveAttempt } from "#server/ledger/ownAttempt.ts";
import { isEndClosed } from "#server/market/acceptance.ts";
import { ApiError } from "#server/platform/apiError.ts";
import { hasEnded } from "#server/platform/clock/clock.ts";
import type { AppContext } from "#server/platform/context.ts";
import type { Job } from "#server/platform/jobs.ts";

/**
 * Hosting on the server. The feed calls `afterAppend`: pools trade, are marked and pay in the
 * transactions that close seconds.
 */
export function createHosting(ctx: AppContext, deps: HostingDeps) {
  const { database, clock, bus } = ctx;
  const { db } = database;
  const pools = createPools(ctx, deps);
  const cards = createPoolSummaries(ctx, pools);
  const invalidate = () => {
    pools.invalidate();
    cards.invalidate();
  };
  const runner = createRunner(ctx, deps, invalidate);
  const receipts = createReceipts(ctx, deps, pools);
  const runs = createRunBroadcaster(ctx, deps);
  const historyTests = createHistoryTests(ctx, deps, pools);
  bus.subscribe("second.closed", invalidate);
  return {
    jobs: [
      // After a recording's end, the request that accepted an order also executes it; this job
      // covers requests that stopped in between.
      {
        name: "hosting.finish",
        everySeconds: 60,
        run: async () => {
          if (hasEnded(clock) && (await isEndClosed(ctx, ctx.database.db)))
            await runner.finishNow();
        },
      },
      historyTests.job,
    ] satisfies readonly Job[],
    ...createOrderPlacement(ctx, deps, pools, runner),
    /**
     * Resolves the attempt that the person names, which must be their own; units outlive the
     * attempt that bought them.
     */
    ownAttempt: (owner: { userId: string; attemptId: string }, attemptId: string | undefined) =>
      resolveAttempt(ctx.database.db, owner, attemptId),
    ...createPoolQueries(ctx, deps, { pools, cards, receipts }),
    ...createOrderQueries(ctx, { pools, receipts }),
    ledger: deps.ledger,
    pools,
    beforeAppend: runner.beforeAppend,
    afterAppend: runner.afterAppend,
    finishNow: runner.finishNow,
    /**
     * The last observation of the pool's strategy; throws `hosting.not_ready` before the first
     * second since this process started.
     */
    run: async (poolId: string) => {
      await requirePool(pools, poolId);
      const run = runs.latest(poolId);
      if (run === null) throw new ApiError("hosting.not_ready");
      return run;
    },
    historyTest: async (poolId: string) => {
      await requirePool(pools, poolId);
      return historyTests.read(poolId);
    },
    /**
     * The earliest mark that can execute an order accepted at `atMs`: the first after the second
     * that binds it.
     */
    markAfter: (atMs: number) =>
      Math.floor((Math.ceil(atMs / 1_000) * 1_000) / 60_000) * 60_000 + 60_000,
    /** The subjects of beliefs (docs/rules/beliefs.md). */
    beliefSubjects: (userId: string, ids: readonly string[]) => readBeliefSubjects(db, userId, ids),
    results: (attemptId: string, span: Parameters<typeof readPoolResults>[3]) =>
      readPoolResults(ctx, pools, attemptId, span),
    explain: (journalIds: string[]) => explainHosting(db, journalIds),
    /**
     * The value that an attempt has hosted at a world time, including pending subscriptions, in
     * minor units of pUSDT.
     */
    hostedAt: (attemptId: string, moments: readonly number[]) =>
      valueHoldings(db, attemptId, moments),
    /** Every pool as the console shows it. */
    standings: async () => (await pools.all()).map(toPoolSummary),
    /**
     * The total that people have hosted, and its change today in basis points; null before the
     * first mark.
     */
    totals: async () => computeTotals(await pools.all(), await cards.get("all")),
  };
}
export type Hosting = ReturnType<typeof createHosting>;
