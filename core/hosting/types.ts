import type { Asset } from "#core/hosting/assets.ts";
import type { Friction } from "#core/hosting/friction.ts";
import type { Book } from "#core/market/book.ts";
import type { BestPrices } from "#core/market/quote.ts";
import type { MarketSymbol } from "#core/market/symbols.ts";

export type StrategyName = "cross" | "triangle" | "hold";

/** What a pool is: fixed when it is published, never changed. */
export interface PoolConfig {
  strategy: StrategyName;
  /** The venues it trades on: two or more for `cross`, one for the others. */
  venues: readonly string[];
  /** One symbol for `cross` and `hold`; for `triangle` three that close a loop. */
  symbols: readonly MarketSymbol[];
  /**
   * What people pay in and out, and what its NAV is counted in. Every other asset has a symbol with
   * it.
   */
  home: Asset;
  /**
   * For history tests that try settings: another margin, in basis points, 0 to 1 000. A pool that
   * is published has none.
   */
  marginBp?: number;
}

/**
 * What one venue shows of one symbol. `levels` makes the whole book, and is asked only when best
 * prices are worth it.
 */
export interface VenueBook extends BestPrices {
  /** When the venue said so; a strategy takes only books of the moment it decides in. */
  atMs: number;
  levels(): Book;
}

/**
 * All that is known at one moment: a second, or the close of a minute of a recording. The engine
 * sees one moment at a time and nothing later.
 */
export interface Moment {
  atMs: number;
  /** The venue's last book of the symbol; null when it has none. */
  book(venue: string, symbol: MarketSymbol): VenueBook | null;
  /** The index of the symbol, an integer at its scale; null: a gap. */
  index(symbol: MarketSymbol): bigint | null;
}

export type Side = "buy" | "sell";
/**
 * `arbitrage` and `stock` are what a strategy is for; `unwind` clears what a leg alone left;
 * `raise` sells to pay redemptions.
 */
export type Purpose = "arbitrage" | "unwind" | "stock" | "raise";

/**
 * An order as a strategy requests it: in base minor units, filled at `limit` (symbol's scale) or
 * better, or not at all.
 */
export interface OrderRequest {
  venue: string;
  symbol: MarketSymbol;
  side: Side;
  quantity: bigint;
  limit: bigint;
}

/** An order on its way to its venue. */
export interface PendingOrder extends OrderRequest {
  /** Number of the decision and, from 0, of the leg in it. */
  decision: number;
  leg: number;
  purpose: Purpose;
  decidedMs: number;
  /** `atMs` of the last book counted, and books counted since the decision. */
  bookMs: number;
  waited: number;
  /** Mid of the venue at the decision, doubled, at the symbol's scale. */
  mid2: bigint;
  /**
   * What 10¹⁸ minor units of base and of quote are worth in minor units of home, by the index at
   * the decision.
   */
  baseWorth: bigint;
  quoteWorth: bigint;
}

/** Inventory between two venues. */
export interface Transfer {
  asset: Asset;
  amount: bigint;
  /**
   * null: the pool's free money. What comes back to it to pay people is there at once; all else
   * takes its time.
   */
  from: string | null;
  to: string | null;
  sentMs: number;
  arriveMs: number;
}

/**
 * In minor units of home, by the index at each decision: net = gross − slippage − fees. Losses are
 * negative.
 */
export interface Pnl {
  gross: bigint;
  /**
   * What fills cost beside the mid at the decision: half-spread, depth, and the move during the
   * latency.
   */
  slippage: bigint;
  fees: bigint;
}

export interface Counters extends Pnl {
  decisions: number;
  /** Decisions with purpose `arbitrage`. */
  trades: number;
  fills: number;
  /** Orders that filled in part or not at all. */
  short: number;
  transfers: number;
}

/**
 * Everything a pool's next step depends on beside the moment. Plain data; amounts are minor units.
 */
export interface PoolState {
  /** Home money at no venue: what was paid in and not sent out yet. */
  free: bigint;
  /** Home money owed to people for redemptions; paid from `free` by the caller (`payOwed`). */
  owed: bigint;
  /** By `venue/asset`; absent: nothing. Never negative. */
  held: Readonly<Record<string, bigint>>;
  transfers: readonly Transfer[];
  orders: readonly PendingOrder[];
  /** By asset: what arbitrage legs bought and did not sell again. */
  drift: Readonly<Partial<Record<Asset, bigint>>>;
  counters: Counters;
}

/** A filled order (`quantity` 0: it came to nothing, and `why` says why). */
export interface Fill {
  order: PendingOrder;
  atMs: number;
  /** When the book it met was said; equals the order's at friction 0 only. */
  bookMs: number;
  quantity: bigint;
  /** What was paid (buy) or received (sell) before the fee, and the fee, in quote minor units. */
  quote: bigint;
  fee: bigint;
  pnl: Pnl;
  why: null | "part" | "beyond_limit" | "no_depth" | "no_money" | "no_book";
  /** The raw book it met, as the venue showed it; null when none came in time. */
  book: Book | null;
}

export interface Decision {
  number: number;
  atMs: number;
  purpose: Purpose;
  orders: readonly PendingOrder[];
  /** The raw books of the orders, leg by leg. */
  books: readonly Book[];
  observed: Observation;
}

/**
 * What the strategy saw, in hundredths of a basis point: the gap, and what it takes to be worth it.
 */
export interface Observation {
  gap: number;
  needed: number;
}

/** Why nothing was decided, from a closed list. */
type RejectReason =
  /** Orders are on their way. */
  | "pending"
  /** A venue shows no book of this moment: too old to trade on. */
  | "stale"
  /** The gap is smaller than what it costs. */
  | "gap"
  /** The side that must give has nothing left; a transfer may be under way. */
  | "inventory"
  /** Worth it, but for less than the least order. */
  | "small"
  /** The index has a gap, so nothing can be valued. */
  | "no_index"
  /** Buy and hold has bought. */
  | "nothing_to_do";

export type Verdict =
  | { act: true; purpose: Purpose; requests: readonly OrderRequest[]; observed: Observation }
  | { act: false; why: RejectReason; observed: Observation | null };

/**
 * A strategy: a pure function of the moment and the pool's state. `friction` says what trading
 * costs, which it must know to judge a gap. Nothing it can reach tells of a later moment.
 */
export type Decide = (
  config: PoolConfig,
  friction: Friction,
  state: PoolState,
  moment: Moment,
) => Verdict;

export interface Strategy {
  name: StrategyName;
  decide: Decide;
  /** Shares of the pool's value, in basis points, that each asset beside home should have. */
  weights(config: PoolConfig): Partial<Record<Asset, number>>;
  /**
   * How far from its share an asset may be before stock is bought or sold, in basis points of the
   * pool's value.
   */
  bandBp: bigint;
  /** Keys of sentences (i18n): what it does, when it loses, what it costs. */
  words: { does: string; loses: string; costs: string };
}

export interface StepResult {
  state: PoolState;
  decision: Decision | null;
  /** Why there was no decision; null when there was one. */
  why: RejectReason | null;
  observed: Observation | null;
  fills: readonly Fill[];
  /** Transfers sent off in this step, and those that arrived. */
  sent: readonly Transfer[];
  arrived: readonly Transfer[];
}
