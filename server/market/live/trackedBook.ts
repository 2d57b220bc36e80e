import type { MarketSymbol } from "#core/market/symbols.ts";
import type { ExchangeBook } from "#server/market/live/publicExchange.ts";

/** The tracked state of a venue's book of one symbol. Times are world time. */
export interface TrackedBook {
  symbol: MarketSymbol;
  scale: number;
  book: ExchangeBook | undefined;
  key: string;
  changedMs: number;
  /** When a connection on which this book was confirmed was last heard from. */
  heardMs: number;
  /** True if the book came over the present connection. */
  isConfirmed: boolean;
  /** True if the present connection has stated a time of the book. */
  hasTimestamp: boolean;
  /** True if it has stated a second one, from which the delay is measured. */
  hasMeasuredDelay: boolean;
  /** The delay of the last change beyond the usual one. */
  lateMs: number;
  tradeIds: Set<string>;
}

export function createTrackedBook(symbol: MarketSymbol, scale: number): TrackedBook {
  return {
    symbol,
    scale,
    book: undefined,
    key: "",
    changedMs: 0,
    heardMs: 0,
    isConfirmed: false,
    hasTimestamp: false,
    hasMeasuredDelay: false,
    lateMs: 0,
    tradeIds: new Set(),
  };
}

/** A key that differs whenever the venue reports a change of the book. */
export function getBookKey({ nonce, datetime, bids, asks }: ExchangeBook): string {
  return `${nonce ?? ""} ${datetime ?? ""} ${bids[0]?.join() ?? ""} ${asks[0]?.join() ?? ""}`;
}

export function isEmpty({ bids, asks }: ExchangeBook): boolean {
  return bids.length === 0 && asks.length === 0;
}
