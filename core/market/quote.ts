/**
 * The best bid and ask of one symbol at one venue, integers at the symbol's scale, and the world
 * time at which the venue said so. `maxAgeMs` is how long it stands: 5 s, or 5 minutes for the
 * close of a replayed bar (docs/rules/market.md).
 */
export interface Quote {
  bid: bigint;
  ask: bigint;
  atMs: number;
  maxAgeMs: number;
}

/** What a `second` leaf keeps of a fresh quote. */
export type BestPrices = Pick<Quote, "bid" | "ask">;

export const quoteMaxAgeMs = 5_000;
export const barQuoteMaxAgeMs = 300_000;

/**
 * Whether `quote` still stands at `atMs`. A quote from the future (a bar that has not closed yet)
 * never does.
 */
export function isFresh(quote: Quote, atMs: number): boolean {
  const ageMs = atMs - quote.atMs;
  return ageMs >= 0 && ageMs <= quote.maxAgeMs;
}

/** Whether prices can be quoted at all: positive, and the bid below the ask. */
export function isSound(quote: BestPrices): boolean {
  return quote.bid > 0n && quote.ask > quote.bid;
}
