import type { Second } from "./orders/phase.ts";

/** Seconds held for each symbol: enough for the longest window (60) and the line before it. */
const held = 600;
/** World time is taken to stand still when no second came for so long (real milliseconds). */
const silentMs = 5_000;

/** What the stream told of the last seconds: the prices behind the pictures, and world time between two messages. */
export interface SecondStore {
  record(secondMs: number, prices: Record<string, string | null>, speed: number): void;
  of(symbol: string): readonly Second[];
  /** World time now, in milliseconds; null before the first second. */
  now(): number | null;
  subscribe(listener: () => void): () => void;
}

/** `realNow` is a monotonic clock in milliseconds. */
export function createSecondStore(realNow: () => number): SecondStore {
  const bySymbol = new Map<string, Second[]>();
  const listeners = new Set<() => void>();
  let last: { ms: number; atMs: number; speed: number } | null = null;
  const none: readonly Second[] = [];
  return {
    record: (secondMs, prices, speed) => {
      if (last && secondMs <= last.ms) return;
      last = { ms: secondMs, atMs: realNow(), speed };
      for (const [symbol, price] of Object.entries(prices)) {
        // A new array each time, so that a reader can tell by identity whether something changed.
        bySymbol.set(symbol, [...(bySymbol.get(symbol) ?? []).slice(1 - held), { ms: secondMs, price }]);
      }
      for (const listener of listeners) listener();
    },
    of: (symbol) => bySymbol.get(symbol) ?? none,
    now: () => last && last.ms + Math.min(realNow() - last.atMs, silentMs) * last.speed,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
