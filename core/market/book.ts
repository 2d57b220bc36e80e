/**
 * Scale of volumes and sizes in books and bars: digits after the point of one unit of the symbol's
 * base asset.
 */
export const sizeScale = 8;

/**
 * A price level: the price, an integer at the symbol's scale, and the size offered, at `sizeScale`.
 */
export interface BookLevel {
  price: bigint;
  size: bigint;
}

/** Both sides of a venue's order book for one symbol, each from the best price outwards. */
export interface Book {
  bids: readonly BookLevel[];
  asks: readonly BookLevel[];
}
