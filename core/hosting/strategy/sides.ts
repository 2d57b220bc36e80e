import { assets, getSymbolAssets } from "#core/hosting/assets.ts";
import { sizeToMinor } from "#core/hosting/execute.ts";
import { type Friction, scaleBest, scaleSide } from "#core/hosting/friction.ts";
import { limitBp, marginBp, orderMin } from "#core/hosting/strategy/parameters.ts";
import type { Moment, OrderRequest, PoolConfig, Side, VenueBook } from "#core/hosting/types.ts";
import type { BestPrices } from "#core/market/quote.ts";
import type { MarketSymbol } from "#core/market/symbols.ts";

/**
 * A venue's book usable by a strategy: from this very moment, with friction applied to the best
 * prices.
 */
export interface FreshBook {
  venue: string;
  symbol: MarketSymbol;
  best: BestPrices;
  raw: VenueBook;
}

/**
 * The venue's book if it is of this moment. An older one is ignored, because the venue may no
 * longer honour it.
 */
export function getFreshBook(
  moment: Moment,
  venue: string,
  symbol: MarketSymbol,
  friction: Friction,
): FreshBook | null {
  const raw = moment.book(venue, symbol);
  if (!raw || raw.atMs !== moment.atMs || raw.bid <= 0n || raw.ask <= raw.bid) return null;
  return { venue, symbol, best: scaleBest(raw, friction), raw };
}

/** One side of the book, with sizes in base minor units. */
export function getLevels(book: FreshBook, side: Side, friction: Friction) {
  const { base } = getSymbolAssets(book.symbol);
  const levels = scaleSide(book.raw.levels(), side === "buy" ? "asks" : "bids", friction);
  return levels.map(({ price, size }) => ({ price, size: sizeToMinor(size, assets[base].scale) }));
}

/** The worst price at which an order decided at `price` may fill. */
function getLimit(price: bigint, side: Side): bigint {
  return side === "buy"
    ? (price * (10_000n + limitBp)) / 10_000n
    : (price * (10_000n - limitBp) + 9_999n) / 10_000n;
}

export function orderRequest(
  book: FreshBook,
  side: Side,
  quantity: bigint,
  price: bigint,
): OrderRequest {
  const { venue, symbol } = book;
  return { venue, symbol, side, quantity, limit: getLimit(price, side) };
}

/** The margin required after fees, in basis points: the fixed one, or the one a backtest tries. */
export function getMargin(config: PoolConfig): bigint {
  return config.marginBp === undefined ? marginBp : BigInt(config.marginBp);
}

/** The smallest order in minor units of home. */
export function minimumHomeAmount(config: PoolConfig): bigint {
  return orderMin * 10n ** BigInt(assets[config.home].scale);
}

/**
 * A ratio of products as a gap from 1 in hundredths of a basis point, truncated: 10 020 / 10 000
 * gives 2 000. For display, not for decisions.
 */
export function computeGap(numerator: bigint, denominator: bigint): number {
  return Number(((numerator - denominator) * 1_000_000n) / denominator);
}
