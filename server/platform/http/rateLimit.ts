import type { RealClock } from "#server/platform/clock.ts";

export interface RateLimit {
  /** Takes one token of `key`. Null: proceed. A number: seconds to wait, at least 1. */
  take(key: string): number | null;
}

/**
 * A token bucket per key: `perSecond` on average, `burst` at once. Kept in this process; buckets
 * that have refilled are dropped.
 */
export function createRateLimit(
  options: { perSecond: number; burst: number },
  clock: RealClock,
): RateLimit {
  const buckets = new Map<string, { tokens: number; atMs: number }>();
  const perMs = options.perSecond / 1000;
  const fullAfterMs = options.burst / perMs;
  let sweptAtMs = clock.nowMs();
  const sweep = (nowMs: number) => {
    if (nowMs - sweptAtMs < fullAfterMs) return;
    sweptAtMs = nowMs;
    for (const [key, { atMs }] of buckets) if (nowMs - atMs >= fullAfterMs) buckets.delete(key);
  };
  return {
    take: (key) => {
      const nowMs = clock.nowMs();
      sweep(nowMs);
      const bucket = buckets.get(key) ?? { tokens: options.burst, atMs: nowMs };
      const gained = Math.max(0, nowMs - bucket.atMs) * perMs;
      bucket.tokens = Math.min(options.burst, bucket.tokens + gained);
      bucket.atMs = nowMs;
      buckets.set(key, bucket);
      if (bucket.tokens < 1) return Math.max(1, Math.ceil((1 - bucket.tokens) / perMs / 1000));
      bucket.tokens -= 1;
      return null;
    },
  };
}
