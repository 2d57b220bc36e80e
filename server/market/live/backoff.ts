import { setTimeout as sleep } from "node:timers/promises";

/**
 * Why a connection ended: we replaced it, it or an attempt failed, or the venue asked us to slow
 * down.
 */
export type ConnectionEnd = "renewed" | "unreachable" | "rate_limited";

/** Doubled after each failure; the wait is up to half as long again. */
const firstMs = 1_000;
const longestMs = 40_000;
const limitedMs = 30_000;

/**
 * When a venue is retried after a failure: after 1 to 60 s, doubled each time with random jitter,
 * so that not all clients return to a venue at the same moment. All subscriptions of a venue share
 * one wait, so that they come back together. `random` is from 0 to 1.
 */
export function createBackoff(random: () => number = Math.random) {
  let nextMs = firstMs;
  let pendingWait: Promise<void> | null = null;
  return {
    /** Resolves when the venue may be tried again, or when `signal` is aborted. */
    wait: (end: Exclude<ConnectionEnd, "renewed">, signal: AbortSignal): Promise<void> => {
      if (pendingWait) return pendingWait;
      const leastMs = end === "rate_limited" ? Math.max(limitedMs, nextMs) : nextMs;
      nextMs = Math.min(longestMs, leastMs * 2);
      const wait: Promise<void> = sleep(leastMs * (1 + random() / 2), undefined, { signal })
        .catch(() => {})
        .finally(() => {
          if (pendingWait === wait) pendingWait = null;
        });
      pendingWait = wait;
      return wait;
    },
    /**
     * Called when a connection has worked: the next failure counts as the first and starts a new
     * wait.
     */
    reset: (): void => {
      nextMs = firstMs;
      pendingWait = null;
    },
  };
}
