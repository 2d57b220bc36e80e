import { markSettled, readUnsettled } from "#server/attempts/store.ts";
import type { AttemptsDeps, Owner } from "#server/attempts/types.ts";
import type { AppContext } from "#server/platform/context.ts";
import type { Job } from "#server/platform/jobs.ts";

/**
 * How long after a closing new pending work may still appear in the old attempt, in real
 * milliseconds: from requests in flight, and processes not yet notified. Neither is ever further
 * behind than that.
 */
const quietMs = 60_000;
const batchSize = 100;

/**
 * Cancels pending work of closed attempts: immediately, and again when no more can appear, in the
 * loop `attempts.settle` (every ten real seconds), which also completes what a crash interrupted.
 */
export function createAttemptClosing(
  ctx: Pick<AppContext, "database" | "realClock" | "logger">,
  contributions: AttemptsDeps["contributions"],
) {
  const { db } = ctx.database;
  const cancelAll = async (owner: Owner): Promise<boolean> => {
    const cancels = contributions.attempts.flatMap(({ onClose }) => onClose ?? []);
    const results = await Promise.allSettled(cancels.map((cancel) => cancel(owner)));
    const failures = results.filter((result) => result.status === "rejected");
    for (const { reason } of failures) {
      ctx.logger.error(
        { err: reason, attempt: owner.attemptId },
        "pending work of a closed attempt was not cancelled; will be retried",
      );
    }
    return failures.length === 0;
  };
  const settle = async () => {
    const realMs = ctx.realClock.nowMs();
    for (const { closedRealAtMs, ...owner } of await readUnsettled(db, batchSize)) {
      const allCancelled = await cancelAll(owner);
      if (allCancelled && realMs - closedRealAtMs >= quietMs)
        await markSettled(db, owner.attemptId, realMs);
    }
  };
  return {
    jobs: [{ name: "attempts.settle", everySeconds: 10, run: settle }] satisfies readonly Job[],
    cancelAll,
    settle,
  };
}
