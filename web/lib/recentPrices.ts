import { createStore, type Store } from "#ui/createStore.ts";

/** An index second as pushed by the stream; `price` is a decimal string, null in a gap. */
export interface PricePoint {
  ms: number;
  price: string | null;
}

export interface PriceMessage {
  topic: "prices";
  second_ms: number;
  leaf: number;
  prices: Record<string, string | null>;
}

export interface RecentPrices {
  last: PriceMessage | null;
  /** The points by symbol, oldest first. */
  points: ReadonlyMap<string, readonly PricePoint[]>;
}

/** Seconds kept per symbol: enough for the longest window (60) and the line before it. */
const secondsMax = 600;
const none: readonly PricePoint[] = [];

/**
 * Store of the latest seconds pushed by the stream; a message no newer than the last one is
 * ignored.
 */
export function createRecentPrices(): Omit<Store<RecentPrices>, "set"> & {
  take: (message: PriceMessage) => void;
} {
  const { read, set, subscribe } = createStore<RecentPrices>({ last: null, points: new Map() });
  const take = (message: PriceMessage) => {
    const { last, points } = read();
    if (last && message.second_ms <= last.second_ms) return;
    const next = new Map(points);
    for (const [symbol, price] of Object.entries(message.prices)) {
      next.set(symbol, [
        ...getPoints(read(), symbol).slice(1 - secondsMax),
        { ms: message.second_ms, price },
      ]);
    }
    set({ last: message, points: next });
  };
  return { read, subscribe, take };
}

/** The seconds of `symbol`, oldest first; the same array until a new one arrives. */
export function getPoints({ points }: RecentPrices, symbol: string): readonly PricePoint[] {
  return points.get(symbol) ?? none;
}
