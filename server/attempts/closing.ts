import { markSettled, readUnsettled } from "#server/attempts/store.ts";
import type { AttemptsDeps, Whose } from "#server/attempts/types.ts";
import type { Parts } from "#server/platform/context.ts";

/**
 * How long after a closing something may still begin to wait in the old attempt, in real milliseconds: requests that were under
 * way, and processes that had not heard. Each looks at most that far back.
 */
const quietMs = 60_000;
const atOnce = 100;

/**
 * Cancels what waits in closed attempts: at once, and again once nothing can have come after, by the loop `attempts.settle` (every ten
 * real seconds), which also makes good what a crash left.
 */
export function createClosing(
  parts: Pick<Parts, "database" | "realClock" | "jobs" | "log">,
  contributions: AttemptsDeps["contributions"],
) {
  const { db } = parts.database;
  const cancelAll = async (who: Whose): Promise<boolean> => {
    const cancels = contributions.attempts.flatMap(({ onClose }) => onClose ?? []);
    const done = await Promise.allSettled(cancels.map((cancel) => cancel(who)));
    const failed = done.filter((one) => one.status === "rejected");
    for (const { reason } of failed) {
      parts.log.error(
        { err: reason, attempt: who.attemptId },
        "what waited was not cancelled; tried again",
      );
    }
    return failed.length === 0;
  };
  const settle = async () => {
    const realMs = parts.realClock.nowMs();
    for (const { closedRealAtMs, ...who } of await readUnsettled(db, atOnce)) {
      const all = await cancelAll(who);
      if (all && realMs - closedRealAtMs >= quietMs) await markSettled(db, who.attemptId, realMs);
    }
  };
  parts.jobs.every("attempts.settle", 10, settle);
  return {
    cancelAll,
    settle,
  };
}
