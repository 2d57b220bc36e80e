import * as z from "zod/mini";
import { holding } from "#api/hosting/holding.ts";
import { bp, strategy } from "#api/hosting/shapes.ts";
import { marketKind } from "#api/meta.ts";
import { coin, decimal, hash, id, symbol, timeMs } from "#api/shapes.ts";

/**
 * Result of a complete run of the strategy under one friction preset since the pool's start.
 * `realistic` is the pool itself.
 */
export const frictionResult = z.object({
  nav: decimal,
  return_bp: bp,
  drawdown_bp: bp,
  trades: z.int(),
  fees: decimal,
  slippage: decimal,
});

/** A world day: NAV at its last mark (for today, now) against the last mark before it. */
const poolDay = z.object({ day_at_ms: timeMs, nav: decimal, change_bp: bp });

export const pool = z.object({
  product_id: id,
  strategy,
  /** Venues and symbols it trades. */
  venues: z.array(z.string()),
  symbols: z.array(symbol),
  coin,
  market: z.object({ kind: marketKind, speed: z.int() }),
  /**
   * open: takes subscriptions. suspended: takes no subscriptions, redeems as always. ended: the
   * recording is over. Redemptions are never refused.
   */
  state: z.enum(["open", "suspended", "ended"]),
  terms_hash: hash,
  version: z.int(),
  published_at_ms: timeMs,
  /** Index of the `terms` leaf in the public log. */
  leaf: z.int(),

  /** Costs and limits, as the terms state them. */
  minimum: decimal,
  redemption_fee_bp: z.int(),
  taker_fee_bp: z.int(),
  /** From decision to fill; null where the fill is "the next minute with a book" (replay). */
  latency_ms: z.nullable(z.int()),
  transfer_seconds: z.int(),
  /** Taker fees of a whole cycle: the gap must be wider than this for any gain. */
  cycle_cost_bp: bp,
  /** Rise of NAV from which a subscription returns more than it cost, redemption fee included. */
  break_even_bp: bp,
  /** The house's own units, present from the first mark so that the strategy trades. */
  seed_capital: decimal,

  /** Null before the first mark. */
  mark: z.nullable(
    z.object({
      at_ms: timeMs,
      /** Index of the `mark` leaf. */
      leaf: z.int(),
      nav: decimal,
      units: decimal,
      /** Cash and inventory at the index. */
      assets: decimal,
    }),
  ),
  /** Why there is no newer mark: a price it needs is missing. Null if the last minute has one. */
  waiting_for: z.nullable(z.enum(["index", "first_mark", "recording_ended"])),
  /** units × NAV held by people, without the house's own units. */
  hosted: decimal,
  holders: z.int(),
  started_at_ms: z.nullable(timeMs),
  return_bp: bp,
  /** Buy and hold over the same period, without costs: the benchmark shown beside every pool. */
  hold_return_bp: bp,
  /**
   * Largest fall of NAV from a peak since the start, and the current fall from the peak; zero or
   * negative.
   */
  drawdown_bp: bp,
  drawdown_now_bp: bp,
  today_bp: bp,
  fees_paid: decimal,
  slippage_paid: decimal,
  trades: z.int(),
  trades_won: z.int(),
  trades_lost: z.int(),
  /** Trades of these filled since the world day began. */
  trades_today: z.int(),
  last_trade_at_ms: z.nullable(timeMs),
  /** Whole world days among the last 30, excluding today. */
  days: z.object({
    winning: z.int(),
    losing: z.int(),
    flat: z.int(),
    worst_bp: z.nullable(bp),
    best_bp: z.nullable(bp),
  }),
  daily: z.array(poolDay),
  /** Up to 48 marks of the last 24 hours: time, NAV, buy-and-hold, both scaled to start at 1. */
  spark: z.array(z.tuple([timeMs, decimal, decimal])),
  friction: z.object({
    frictionless: frictionResult,
    realistic: frictionResult,
    harsh: frictionResult,
  }),
  /** Null when not signed in, or with nothing in this pool. */
  mine: z.nullable(holding),
});
export type Pool = z.infer<typeof pool>;

/**
 * Time, NAV, buy-and-hold, frictionless, harsh, drawdown in bp (zero or negative). The four values
 * are scaled to start at 1.
 */
export const navPoint = z.tuple([timeMs, decimal, decimal, decimal, decimal, bp]);
export type NavPoint = z.infer<typeof navPoint>;
