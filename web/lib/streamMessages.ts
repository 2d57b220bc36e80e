/** The parts of the stream that need no socket. */

/** Milliseconds until the next attempt after `failures` failed ones: 0.5 s doubling to 30 s, spread by `chance` (0 to 1). */
export function backOffMs(failures: number, chance: number): number {
  const full = Math.min(30_000, 500 * 2 ** Math.min(failures, 10));
  return Math.round(full * (0.5 + chance / 2));
}

export interface PricePoint {
  /** Decimal string; null in a gap. */
  price: string | null;
  secondMs: number;
  /** Index of the `second` leaf that holds it. */
  leaf: number;
}

interface PriceMessage {
  topic: "prices";
  second_ms: number;
  leaf: number;
  prices: Record<string, string | null>;
}

/** Keeps the newest price of each symbol; an older message than the last one changes nothing. */
export function createPriceBoard() {
  let last: PriceMessage | null = null;
  const points = new Map<string, PricePoint>();
  const listeners = new Set<() => void>();
  return {
    take(message: PriceMessage): void {
      if (last && message.second_ms <= last.second_ms) return;
      last = message;
      for (const [symbol, price] of Object.entries(message.prices)) {
        points.set(symbol, { price, secondMs: message.second_ms, leaf: message.leaf });
      }
      for (const listener of listeners) listener();
    },
    read: (symbol: string): PricePoint | null => points.get(symbol) ?? null,
    last: (): PriceMessage | null => last,
    subscribe: (listener: () => void): (() => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
