import { ApiError } from "#server/platform/apiError.ts";

/** Runs `work` once the person's earlier work has ended. */
export type PersonQueue = <Result>(userId: string, work: () => Promise<Result>) => Promise<Result>;

/**
 * Runs a person's work one item at a time, so that no person takes more than one of the shared
 * slots. Throws `request.too_many` when `waitingMax` of theirs run or wait.
 */
export function createPersonQueue(waitingMax: number): PersonQueue {
  const lines = new Map<string, { turn: Promise<unknown>; waiting: number }>();
  return async (userId, work) => {
    const line = lines.get(userId) ?? { turn: Promise.resolve(), waiting: 0 };
    if (line.waiting >= waitingMax) {
      throw new ApiError("request.too_many", { retry_after_seconds: 5 });
    }
    const task = line.turn.then(work, work);
    line.turn = task;
    line.waiting += 1;
    lines.set(userId, line);
    try {
      return await task;
    } finally {
      line.waiting -= 1;
      if (line.waiting === 0) lines.delete(userId);
    }
  };
}
