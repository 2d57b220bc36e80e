import type { RealClock } from "#server/platform/clock.ts";

/** Answers kept at most; past it all are forgotten, and the next ones ask again. */
const entriesMax = 20_000;

export interface TtlCache<Key, Value> {
  get(key: Key): Promise<Value>;
  /**
   * What is kept of the key, or all there is, is asked anew; so is what is being read at this
   * moment.
   */
  invalidate(key?: Key): void;
}

/**
 * Reads that many requests repeat, each kept for `forMs` of real time when `keeps` says so. Only
 * for looks that come before a decision: whatever decides must look for itself in the transaction
 * that acts on it.
 */
export function ttlCache<Key, Value>(
  read: (key: Key) => Promise<Value>,
  options: { ttlMs: number; clock: RealClock; shouldCache: (value: Value) => boolean },
): TtlCache<Key, Value> {
  const { ttlMs, clock, shouldCache } = options;
  const cached = new Map<Key, { value: Value; untilMs: number }>();
  let invalidations = 0;
  return {
    get: async (key) => {
      const nowMs = clock.nowMs();
      const known = cached.get(key);
      if (known && known.untilMs > nowMs) return known.value;
      const before = invalidations;
      const value = await read(key);
      if (before !== invalidations || !shouldCache(value)) cached.delete(key);
      else {
        if (cached.size >= entriesMax) cached.clear();
        cached.set(key, { value, untilMs: nowMs + ttlMs });
      }
      return value;
    },
    invalidate: (key) => {
      invalidations += 1;
      if (key === undefined) cached.clear();
      else cached.delete(key);
    },
  };
}
