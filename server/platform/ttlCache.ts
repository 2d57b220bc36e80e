import type { RealClock } from "#server/platform/clock.ts";

/** Answers kept at most; past it all are forgotten, and the next ones ask again. */
const keptMax = 20_000;

export interface BriefMemory<Key, Value> {
  get(key: Key): Promise<Value>;
  /** What is kept of the key, or all there is, is asked anew; so is what is being read at this moment. */
  forget(key?: Key): void;
}

/**
 * Reads that many requests repeat, each kept for `forMs` of real time when `keeps` says so. Only for looks that come before a
 * decision: whatever decides must look for itself in the transaction that acts on it.
 */
export function keepBriefly<Key, Value>(
  read: (key: Key) => Promise<Value>,
  options: { forMs: number; clock: RealClock; keeps: (value: Value) => boolean },
): BriefMemory<Key, Value> {
  const { forMs, clock, keeps } = options;
  const kept = new Map<Key, { value: Value; untilMs: number }>();
  let forgotten = 0;
  return {
    get: async (key) => {
      const nowMs = clock.nowMs();
      const known = kept.get(key);
      if (known && known.untilMs > nowMs) return known.value;
      const before = forgotten;
      const value = await read(key);
      if (before !== forgotten || !keeps(value)) kept.delete(key);
      else {
        if (kept.size >= keptMax) kept.clear();
        kept.set(key, { value, untilMs: nowMs + forMs });
      }
      return value;
    },
    forget: (key) => {
      forgotten += 1;
      if (key === undefined) kept.clear();
      else kept.delete(key);
    },
  };
}
