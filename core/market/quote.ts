/**
 * The best bid and ask of one symbol at one venue, integers at the symbol's scale, and the world
 * time of the quote. `maxAgeMs` is how long it stays valid: 5 s, or 5 minutes for the close of a
 * replayed bar (docs/rules/market.md).
 */
export interface Quote {
  bid: bigint;
  ask: bigint;
  atMs: number;
  maxAgeMs: number;
}

/** The part of a fresh quote kept in a `second` leaf. */
export type BestPrices = Pick<Quote, "bid" | "ask">;

export const quoteMaxAgeMs = 5_000;
export const barQuoteMaxAgeMs = 300_000;

/**
 * Returns true if `quote` is still valid at `atMs`. A quote from the future (a bar not yet closed)
 * never is.
 */
export function isFresh(quote: Quote, atMs: number): boolean {
  const ageMs = atMs - quote.atMs;
  return ageMs >= 0 && ageMs <= quote.maxAgeMs;
}

/** Returns true if the prices make sense: positive, with the bid below the ask. */
export function isValidQuote(quote: BestPrices): boolean {
  return quote.bid > 0n && quote.ask > quote.bid;
}
