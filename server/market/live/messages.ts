import type { VenueFault } from "#core/market/live/faults.ts";
import type { MarketSymbol } from "#core/market/symbols.ts";

/** The task of the live market's process. It takes no other setting and no credential. */
export interface LiveTask {
  /** ccxt's names of the venues, in the order of the world's. */
  venues: readonly string[];
  /** Address of the fake venues, on this machine; null: the venues themselves. */
  fakeVenues: string | null;
}

export interface WatchTask extends LiveTask {
  /** In the world's order, each with the venues that list it. */
  symbols: readonly { name: MarketSymbol; scale: number; venues: readonly string[] }[];
  /** In the same order: each symbol's last index, which a process that starts has not seen. */
  references: readonly (ReferencePrice | null)[];
}

/** The reference that a price is compared with (core/market/live/plausible.ts). */
export interface ReferencePrice {
  value: bigint;
  atMs: number;
}

/** One request for klines of a minute, from `sinceMs` on: as many as the venue answers with. */
export interface KlinesTask {
  venue: string;
  symbol: MarketSymbol;
  sinceMs: number;
}

/** Open time in milliseconds, open, high, low, close and volume, as ccxt gives them. */
type KlineRow = readonly (number | undefined)[];

export type KlinesAnswer =
  | { kind: "klines"; rows: readonly KlineRow[] }
  | { kind: "not_listed" }
  /** The venue has no public historical klines. */
  | { kind: "not_served" }
  | { kind: "failed"; error: string; isLimit: boolean };

/** From the process that runs the feed to that of the live market. */
export type LiveCommand =
  | { kind: "list"; task: LiveTask }
  | { kind: "klines"; id: number; task: KlinesTask & Pick<LiveTask, "fakeVenues"> }
  | { kind: "watch"; task: WatchTask; offsetMs: number }
  /** World time minus the machine's monotonic clock, which both processes read. */
  | { kind: "clock"; offsetMs: number };

/** The symbols that a venue lists now, or why it did not answer. */
export type VenueListing =
  | { venue: string; symbols: MarketSymbol[]; error: null }
  | { venue: string; symbols: null; error: string };

/** Why a venue's quote of a symbol does not count, and from which world time on. */
export interface VenueStatus {
  venue: string;
  symbol: MarketSymbol;
  fault: VenueFault;
  sinceMs: number;
}

/**
 * A venue's quote, with its book as `[price, size, price, size, …]` from the best price outwards:
 * thousands of numbers a second cross between the processes.
 */
export interface SentOrderBook {
  bid: bigint;
  ask: bigint;
  atMs: number;
  bids: BigInt64Array;
  asks: BigInt64Array;
  /** The venue's taker fee in hundredths of a basis point, as ccxt lists it; null: not listed. */
  takerFee: number | null;
}

export interface LiveSecond {
  secondMs: number;
  /** `books[venue][symbol]` in the orders of the task; null where no quote counts. */
  books: (SentOrderBook | null)[][];
  /** By symbol, of these quotes. */
  index: (bigint | null)[];
  /** By symbol, at `sizeScale`, of trades since the second before. */
  volume: bigint[];
}

export type LiveMessage =
  | { kind: "listing"; listing: VenueListing[] }
  | { kind: "klines"; id: number; answer: KlinesAnswer }
  | { kind: "second"; second: LiveSecond }
  | { kind: "status"; status: VenueStatus[] };

/** The machine's monotonic clock in milliseconds: the same in all processes, and never set. */
export function monotonicMs(): number {
  return Number(process.hrtime.bigint() / 1_000n) / 1_000;
}
