import { explainHosting } from "#server/hosting/explain.ts";
import { orderQueries } from "#server/hosting/orderQueries.ts";
import { createOrderPlacement, isOver, requirePool } from "#server/hosting/place.ts";
import { poolQueries } from "#server/hosting/poolQueries.ts";
import { createPools } from "#server/hosting/pools.ts";
import { createReceipts } from "#server/hosting/receipt.ts";
import { createRunBroadcaster } from "#server/hosting/run/runBroadcaster.ts";
import { createRunner } from "#server/hosting/run/strategyRunner.ts";
import { createPoolSummaries, standingOf, totalsOf } from "#server/hosting/summaries.ts";
import type { HostingDeps } from "#server/hosting/types.ts";
import { hostedAt } from "#server/hosting/valuation.ts";
import { inCurrentAttempt } from "#server/ledger/ownAttempt.ts";
import { ApiError } from "#server/platform/apiError.ts";
import { isPaused } from "#server/platform/clock.ts";
import type { AppContext } from "#server/platform/context.ts";
import type { Job } from "#server/platform/jobs.ts";

/**
 * Hosting on the server. `follow` goes to the feed: pools run, are marked and pay in the
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
  bus.subscribe("second.closed", invalidate);
  return {
    jobs: [
      // An order accepted after a recording's end is executed by the process that accepted it; this
      // finishes those of processes that stopped before they did.
      {
        name: "hosting.finish",
        everySeconds: 60,
        run: async () => {
          if (isPaused(clock) && (await isOver(ctx))) await runner.finishNow();
        },
      },
    ] satisfies readonly Job[],
    ...createOrderPlacement(ctx, deps, pools, runner),
    /**
     * The person in the attempt they name, one of their own; units outlive the attempt that bought
     * them.
     */
    ownAttempt: (who: { userId: string; attemptId: string }, attemptId: string | undefined) =>
      inCurrentAttempt(ctx.database.db, who, attemptId),
    ...poolQueries(ctx, deps, { pools, cards, receipts }),
    ...orderQueries(ctx, { pools, receipts }),
    ledger: deps.ledger,
    pools,
    afterAppend: runner.afterAppend,
    finishNow: runner.finishNow,
    /**
     * What the pool's strategy saw last; `hosting.not_ready` before the first second since this
     * process started.
     */
    run: async (poolId: string) => {
      await requirePool(pools, poolId);
      const run = runs.latest(poolId);
      if (run === null) throw new ApiError("hosting.not_ready");
      return run;
    },
    /**
     * The earliest mark that can execute what is accepted at a time: the first after the second
     * that binds it.
     */
    markAfter: (atMs: number) =>
      Math.floor((Math.ceil(atMs / 1_000) * 1_000) / 60_000) * 60_000 + 60_000,
    explain: (journalIds: string[]) => explainHosting(db, journalIds),
    /**
     * What an attempt has hosted at a world time, waiting subscriptions included, in minor units of
     * pUSDT.
     */
    hostedAt: (attemptId: string, atMs: number) => hostedAt(db, attemptId, atMs),
    /** Every pool as the console shows it. */
    standings: async () => (await pools.all()).map(standingOf),
    /**
     * Of all people: hosted in all, and its change today in basis points; null before the first
     * mark.
     */
    totals: async () => totalsOf(await pools.all(), await cards.get("all")),
  };
}
export type Hosting = ReturnType<typeof createHosting>;
