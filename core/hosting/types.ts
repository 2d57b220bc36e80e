import type { Asset } from "#core/hosting/assets.ts";
import type { Friction } from "#core/hosting/friction.ts";
import type { Book } from "#core/market/book.ts";
import type { BestPrices } from "#core/market/quote.ts";
import type { MarketSymbol } from "#core/market/symbols.ts";

export type StrategyName = "cross" | "triangle" | "hold";

/** A pool's configuration: fixed when it is published, never changed. */
export interface PoolConfig {
  strategy: StrategyName;
  /** Venues the pool trades on: two or more for `cross`, one for the others. */
  venues: readonly string[];
  /** One symbol for `cross` and `hold`; three that close a loop for `triangle`. */
  symbols: readonly MarketSymbol[];
  /**
   * The asset people pay in and out, and NAV is measured in. Every other asset has a symbol against
   * it.
   */
  home: Asset;
  /**
   * A different margin for backtests that try settings, in basis points, 0 to 1 000. Absent from a
   * published pool.
   */
  marginBp?: number;
}

/**
 * One venue's quote for one symbol. `levels` builds the whole book, and is called only when the
 * best prices look worthwhile.
 */
export interface VenueBook extends BestPrices {
  /** When the venue quoted it; a strategy uses only books of the moment it decides in. */
  atMs: number;
  levels(): Book;
}

/**
 * All that is known at one moment: a second, or the close of a recording's minute. The engine sees
 * one moment at a time and nothing later.
 */
export interface Moment {
  atMs: number;
  /** The venue's last book of the symbol, or null. */
  book(venue: string, symbol: MarketSymbol): VenueBook | null;
  /** The symbol's index, an integer at its scale; null in a gap. */
  index(symbol: MarketSymbol): bigint | null;
}

export type Side = "buy" | "sell";
/**
 * `arbitrage` and `stock` are a strategy's own trades; `unwind` clears the remainder of an
 * unmatched leg; `raise` sells to pay redemptions.
 */
export type Purpose = "arbitrage" | "unwind" | "stock" | "raise";

/**
 * An order as requested by a strategy: quantity in base minor units, filled at `limit` (symbol's
 * scale) or better, or not at all.
 */
export interface OrderRequest {
  venue: string;
  symbol: MarketSymbol;
  side: Side;
  quantity: bigint;
  limit: bigint;
}

/** An order in transit to its venue. */
export interface PendingOrder extends OrderRequest {
  /** The decision's number and the leg's position in it, from 0. */
  decision: number;
  leg: number;
  purpose: Purpose;
  decidedMs: number;
  /** `atMs` of the last book counted; and the number of books counted since the decision. */
  bookMs: number;
  waited: number;
  /** Twice the venue's mid at the decision, at the symbol's scale. */
  mid2: bigint;
  /**
   * Worth of 10¹⁸ minor units of base and of quote in minor units of home, by the index at the
   * decision.
   */
  baseWorth: bigint;
  quoteWorth: bigint;
}

/** Inventory in transit between two venues. */
export interface Transfer {
  asset: Asset;
  amount: bigint;
  /**
   * Null for the pool's free money. Money returning to it to pay redemptions (`to` null) arrives
   * immediately; all other transfers take time.
   */
  from: string | null;
  to: string | null;
  sentMs: number;
  arriveMs: number;
}

/**
 * In minor units of home, by the index at each decision; net = gross − slippage − fees. Losses are
 * negative.
 */
export interface Pnl {
  gross: bigint;
  /**
   * The cost of fills against the mid at the decision: half-spread, depth, and price moves during
   * the latency.
   */
  slippage: bigint;
  fees: bigint;
}

export interface Counters extends Pnl {
  decisions: number;
  /** Decisions with purpose `arbitrage`. */
  trades: number;
  fills: number;
  /** Orders that filled only in part or not at all. */
  short: number;
  transfers: number;
}

/**
 * Everything a pool's next step depends on besides the moment. Plain data; amounts are minor units.
 */
export interface PoolState {
  /** Home money at no venue: paid in and not yet sent out. */
  free: bigint;
  /** Home money owed for redemptions; the caller pays it from `free` (`payOwed`). */
  owed: bigint;
  /** By `venue/asset`; absent means zero. Never negative. */
  held: Readonly<Record<string, bigint>>;
  transfers: readonly Transfer[];
  orders: readonly PendingOrder[];
  /** By asset: what arbitrage legs bought and have not sold again. */
  drift: Readonly<Partial<Record<Asset, bigint>>>;
  counters: Counters;
}

/** A filled order; `quantity` 0 means it came to nothing, and `why` gives the reason. */
export interface Fill {
  order: PendingOrder;
  atMs: number;
  /** When the book it met was quoted; equals the order's only at friction 0. */
  bookMs: number;
  quantity: bigint;
  /** Paid (buy) or received (sell) before the fee, then the fee, in quote minor units. */
  quote: bigint;
  fee: bigint;
  pnl: Pnl;
  why: null | "part" | "beyond_limit" | "no_depth" | "no_money" | "no_book";
  /** The raw book it met, as the venue showed it; null if none came in time. */
  book: Book | null;
}

export interface Decision {
  number: number;
  atMs: number;
  purpose: Purpose;
  orders: readonly PendingOrder[];
  /** The orders' raw books, leg by leg. */
  books: readonly Book[];
  observed: Observation;
}

/**
 * The strategy's observation, in hundredths of a basis point: the gap, and the gap needed to trade.
 */
export interface Observation {
  gap: number;
  needed: number;
}

/** Why no decision was made, from a closed list. */
type NoTradeReason =
  /** Orders are in transit. */
  | "pending"
  /** A venue has no book of this moment: too old to trade on. */
  | "stale"
  /** The gap does not cover its costs. */
  | "gap"
  /** The giving side has no stock left; a transfer may be in transit. */
  | "inventory"
  /** Profitable, but below the smallest order. */
  | "small"
  /** The index has a gap, so nothing can be valued. */
  | "no_index"
  /** Buy and hold is fully invested. */
  | "nothing_to_do";

export type StrategyResult =
  | { trades: true; purpose: Purpose; requests: readonly OrderRequest[]; observed: Observation }
  | { trades: false; why: NoTradeReason; observed: Observation | null };

/**
 * A strategy: a pure function of the moment and the pool's state. `friction` is the cost of
 * trading, needed to judge a gap. Nothing it can reach reveals a later moment.
 */
export type Decide = (
  config: PoolConfig,
  friction: Friction,
  state: PoolState,
  moment: Moment,
) => StrategyResult;

export interface Strategy {
  name: StrategyName;
  decide: Decide;
  /** Target shares of the pool's value, in basis points, of each asset besides home. */
  weights(config: PoolConfig): Partial<Record<Asset, number>>;
  /**
   * How far an asset may drift from its share before stock is bought or sold, in basis points of
   * the pool's value.
   */
  bandBp: bigint;
  /** i18n keys: what it does, when it loses, what it costs. */
  words: { does: string; loses: string; costs: string };
}

export interface StepResult {
  state: PoolState;
  decision: Decision | null;
  /** Why no decision was made; null when one was. */
  why: NoTradeReason | null;
  observed: Observation | null;
  fills: readonly Fill[];
  /** Transfers sent in this step, and those that arrived. */
  sent: readonly Transfer[];
  arrived: readonly Transfer[];
}
