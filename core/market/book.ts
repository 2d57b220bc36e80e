/**
 * Volumes and sizes of books and bars: digits after the point of one unit of the symbol's base
 * asset.
 */
export const sizeScale = 8;

/** One price level: an integer at the symbol's scale, and what is offered there, at `sizeScale`. */
export interface BookLevel {
  price: bigint;
  size: bigint;
}

/** Both sides of a venue's book of one symbol, each from the best price outwards. */
export interface Book {
  bids: readonly BookLevel[];
  asks: readonly BookLevel[];
}
