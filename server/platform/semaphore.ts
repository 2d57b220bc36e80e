import { ApiError } from "#server/platform/apiError.ts";

/** Real seconds after which a caller that found the queue full may try again. */
const fullRetrySeconds = 2;

/**
 * Slots for work with limited concurrency. `take` waits for one, in order of arrival, and gives the
 * function that frees it; it throws `server.unavailable` after `waitMs`, and at once when
 * `waitingMax` others wait.
 */
export function createSemaphore(
  slots: number,
  waitMs = Number.POSITIVE_INFINITY,
  waitingMax = Number.POSITIVE_INFINITY,
): { take(): Promise<() => void> } {
  const queue: (() => void)[] = [];
  let free = slots;
  const release = () => {
    const next = queue.shift();
    if (next) next();
    else free += 1;
  };
  const releaseOnce = () => {
    let used = false;
    return () => {
      if (!used) release();
      used = true;
    };
  };
  return {
    take: async () => {
      if (free > 0) {
        free -= 1;
        return releaseOnce();
      }
      if (queue.length >= waitingMax) {
        throw new ApiError("server.unavailable", { retry_after_seconds: fullRetrySeconds });
      }
      const turn = Promise.withResolvers<void>();
      queue.push(turn.resolve);
      if (waitMs === Number.POSITIVE_INFINITY) {
        await turn.promise;
        return releaseOnce();
      }
      const timer = setTimeout(() => {
        const index = queue.indexOf(turn.resolve);
        if (index >= 0) queue.splice(index, 1);
        turn.reject(new ApiError("server.unavailable", { retry_after_seconds: 10 }));
      }, waitMs);
      await turn.promise.finally(() => clearTimeout(timer));
      return releaseOnce();
    },
  };
}
