import type { MarketSymbol } from "#core/market/symbols.ts";
import type { ExchangeBook } from "#server/market/live/publicExchange.ts";

/** The tracked state of a venue's book of one symbol. Times are world time. */
export interface TrackedBook {
  symbol: MarketSymbol;
  scale: number;
  book: ExchangeBook | undefined;
  key: string;
  changedMs: number;
  /** Last sign of life of a connection on which this book was confirmed. */
  heardMs: number;
  /** True if the book came over the present connection. */
  isConfirmed: boolean;
  /** True if the present connection has stated a time of the book. */
  hasTimestamp: boolean;
  /** True if it has stated a second one, which says how late the book is. */
  hasMeasuredDelay: boolean;
  /** By how much the last change was later than usual. */
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

/** Differs whenever the book has changed, as far as the venue says so. */
export function getBookKey({ nonce, datetime, bids, asks }: ExchangeBook): string {
  return `${nonce ?? ""} ${datetime ?? ""} ${bids[0]?.join() ?? ""} ${asks[0]?.join() ?? ""}`;
}

export function isEmpty({ bids, asks }: ExchangeBook): boolean {
  return bids.length === 0 && asks.length === 0;
}
