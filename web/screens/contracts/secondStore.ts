import type { Second } from "./orders/phase.ts";

/** Seconds held for each symbol: enough for the longest window (60) and the line before it. */
const held = 600;

/** The last seconds that the stream told, for the pictures of orders. */
export function createSecondStore() {
  const bySymbol = new Map<string, readonly Second[]>();
  const listeners = new Set<() => void>();
  const none: readonly Second[] = [];
  let lastMs = Number.NEGATIVE_INFINITY;
  return {
    record(secondMs: number, prices: Readonly<Record<string, string | null>>): void {
      if (secondMs <= lastMs) return;
      lastMs = secondMs;
      for (const [symbol, price] of Object.entries(prices)) {
        // A new array each time, so that a reader can tell by identity whether something changed.
        bySymbol.set(symbol, [
          ...(bySymbol.get(symbol) ?? none).slice(1 - held),
          { ms: secondMs, price },
        ]);
      }
      for (const listener of listeners) listener();
    },
    of: (symbol: string): readonly Second[] => bySymbol.get(symbol) ?? none,
    subscribe: (listener: () => void): (() => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
