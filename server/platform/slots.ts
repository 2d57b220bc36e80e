import { ApiError } from "#server/platform/apiError.ts";

/**
 * Places for work that few can do at once. `take` waits for one, in order of arrival, and gives the
 * function that frees it; it throws `server.unavailable` after `waitMs`.
 */
export function createSlots(places: number, waitMs: number): { take(): Promise<() => void> } {
  const waiting: (() => void)[] = [];
  let free = places;
  const release = () => {
    const next = waiting.shift();
    if (next) next();
    else free += 1;
  };
  const once = () => {
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
        return once();
      }
      const turn = Promise.withResolvers<void>();
      waiting.push(turn.resolve);
      const timer = setTimeout(() => {
        const at = waiting.indexOf(turn.resolve);
        if (at >= 0) waiting.splice(at, 1);
        turn.reject(new ApiError("server.unavailable", { retry_after_seconds: 10 }));
      }, waitMs);
      await turn.promise.finally(() => clearTimeout(timer));
      return once();
    },
  };
}
