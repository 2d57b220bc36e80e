/**
 * Why a venue's quote of a symbol does not count in a second of a live market (docs/rules/market.md,
 * "The live market"), in the order in which they are tested.
 */
export const venueFaults = [
  /** The venue no longer lists the symbol. */
  "delisted",
  /** The venue lists the symbol but has suspended it, as in maintenance. */
  "halted",
  /** No connection to the venue. */
  "unreachable",
  /** The venue asked us to slow down; it is tried again after a while. */
  "rate_limited",
  /** Connected, but no complete book or timely change has arrived yet. */
  "starting",
  /** Nothing was heard on the connection for longer than a quote is fresh. */
  "silent",
  /** The book has not changed for a minute although the connection is open. */
  "unchanged",
  /** The venue's messages arrive later than it usually takes. */
  "late",
  /** A side of the book is empty. */
  "empty",
  /** The best bid is not below the best ask. */
  "crossed",
  /** The price is less than half or more than double the previous one: wrong decimals. */
  "implausible",
  /** More than 3 % from the median: in the log, but not in the index. */
  "far",
] as const;

export type VenueFault = (typeof venueFaults)[number];
