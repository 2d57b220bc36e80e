import { markSettled, readUnsettled } from "#server/attempts/store.ts";
import type { AttemptsDeps, Owner } from "#server/attempts/types.ts";
import type { AppContext } from "#server/platform/context.ts";
import type { Job } from "#server/platform/jobs.ts";

/**
 * How long after a closing something may still begin to wait in the old attempt, in real
 * milliseconds: requests that were under way, and processes that had not heard. Each looks at most
 * that far back.
 */
const quietMs = 60_000;
const batchSize = 100;

/**
 * Cancels what waits in closed attempts: at once, and again once nothing can have come after, by
 * the loop `attempts.settle` (every ten real seconds), which also makes good what a crash left.
 */
export function createAttemptClosing(
  ctx: Pick<AppContext, "database" | "realClock" | "logger">,
  contributions: AttemptsDeps["contributions"],
) {
  const { db } = ctx.database;
  const cancelAll = async (who: Owner): Promise<boolean> => {
    const cancels = contributions.attempts.flatMap(({ onClose }) => onClose ?? []);
    const done = await Promise.allSettled(cancels.map((cancel) => cancel(who)));
    const failed = done.filter((one) => one.status === "rejected");
    for (const { reason } of failed) {
      ctx.logger.error(
        { err: reason, attempt: who.attemptId },
        "what waited was not cancelled; tried again",
      );
    }
    return failed.length === 0;
  };
  const settle = async () => {
    const realMs = ctx.realClock.nowMs();
    for (const { closedRealAtMs, ...who } of await readUnsettled(db, batchSize)) {
      const all = await cancelAll(who);
      if (all && realMs - closedRealAtMs >= quietMs) await markSettled(db, who.attemptId, realMs);
    }
  };
  return {
    jobs: [{ name: "attempts.settle", everySeconds: 10, run: settle }] satisfies readonly Job[],
    cancelAll,
    settle,
  };
}
