import type { RealClock } from "#server/platform/clock/clock.ts";

/** Entries unless said otherwise; when there are more, the whole cache is dropped. */
const entriesMaxDefault = 20_000;

export interface TtlCache<Key, Value> {
  get(key: Key): Promise<Value>;
  /** Invalidates `key`, or everything without one, including reads in flight. */
  invalidate(key?: Key): void;
  /** Invalidates what `stale` holds for, and every read in flight. */
  invalidateWhere(stale: (value: Value) => boolean): void;
}

/**
 * Caches reads that many requests repeat, each for `ttlMs` of real time if `shouldCache` accepts
 * it. Only for advisory reads: the code that decides must read again in the transaction that acts
 * on it.
 */
export function createTtlCache<Key, Value>(
  readValue: (key: Key) => Promise<Value>,
  options: {
    ttlMs: number;
    clock: RealClock;
    shouldCache: (value: Value) => boolean;
    entriesMax?: number;
  },
): TtlCache<Key, Value> {
  const { ttlMs, clock, shouldCache, entriesMax = entriesMaxDefault } = options;
  const cached = new Map<Key, { value: Value; untilMs: number }>();
  let invalidations = 0;
  return {
    get: async (key) => {
      const nowMs = clock.nowMs();
      const entry = cached.get(key);
      if (entry && entry.untilMs > nowMs) return entry.value;
      const before = invalidations;
      const value = await readValue(key);
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
    invalidateWhere: (stale) => {
      invalidations += 1;
      for (const [key, { value }] of cached) if (stale(value)) cached.delete(key);
    },
  };
}
