import { ApiError } from "#server/platform/apiError.ts";
import type { RealClock } from "#server/platform/clock/clock.ts";

export interface RateLimit {
  /** Takes one token of `key`. Null: proceed. A number: seconds to wait, at least 1. */
  take(key: string): number | null;
  /**
   * Takes one token of `key`. Throws `request.too_many`, with the seconds to wait and, if given,
   * the limit's name for the reader of the answer.
   */
  require(key: string, limit?: string): void;
  /**
   * Takes `cost` tokens even if they are not available, for requests that only turn out to be
   * expensive afterwards. The debt is at most one burst.
   */
  charge(key: string, cost: number): void;
  /** Number of keys held. */
  size(): number;
}

/**
 * Most keys of one limit, about 10 MB. Beyond it the key that has been idle for longest is
 * forgotten, as if its bucket had refilled: a client that commands more addresses than that is not
 * stopped by a limit per address.
 */
export const keysMax = 50_000;

interface Bucket {
  tokens: number;
  atMs: number;
}

/**
 * A token bucket per key: `perSecond` on average, at most `burst` together. Kept in this process;
 * buckets that have refilled are dropped.
 */
export function createRateLimit(
  options: { perSecond: number; burst: number },
  clock: RealClock,
): RateLimit {
  // In the order of last use: the first is the one that has been idle for longest.
  const buckets = new Map<string, Bucket>();
  const { burst } = options;
  const perMs = options.perSecond / 1000;
  const fullAfterMs = (2 * burst) / perMs;
  const dropFull = (nowMs: number) => {
    for (const [key, { atMs }] of buckets) {
      const isFull = nowMs - atMs >= fullAfterMs;
      if (!isFull && buckets.size <= keysMax) return;
      buckets.delete(key);
    }
  };
  const refillBucket = (key: string): Bucket => {
    const nowMs = clock.nowMs();
    const bucket = buckets.get(key) ?? { tokens: burst, atMs: nowMs };
    const gainedTokens = Math.max(0, nowMs - bucket.atMs) * perMs;
    bucket.tokens = Math.min(burst, bucket.tokens + gainedTokens);
    bucket.atMs = nowMs;
    buckets.delete(key);
    buckets.set(key, bucket);
    dropFull(nowMs);
    return bucket;
  };
  const take = (key: string) => {
    const bucket = refillBucket(key);
    if (bucket.tokens < 1) return Math.max(1, Math.ceil((1 - bucket.tokens) / perMs / 1000));
    bucket.tokens -= 1;
    return null;
  };
  return {
    take,
    require: (key, limit) => {
      const waitSeconds = take(key);
      if (waitSeconds !== null) throw createRateLimitError(waitSeconds, limit);
    },
    charge: (key, cost) => {
      const bucket = refillBucket(key);
      bucket.tokens = Math.max(-burst, bucket.tokens - cost);
    },
    size: () => buckets.size,
  };
}

/** `limit` names the limit for the reader of the answer. */
export function createRateLimitError(waitSeconds: number, limit?: string): ApiError {
  const wait = { retry_after_seconds: waitSeconds };
  return new ApiError("request.too_many", limit === undefined ? wait : { ...wait, limit });
}
