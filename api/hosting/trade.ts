import * as z from "zod/mini";
import { bp, level } from "#api/hosting/shapes.ts";
import { coin, decimal, id, symbol, timeMs } from "#api/shapes.ts";

export const book = z.object({
  at_ms: timeMs,
  bids: z.array(level),
  asks: z.array(level),
});
export type Book = z.infer<typeof book>;

const tradeLeg = z.object({
  venue: z.string(),
  symbol,
  side: z.enum(["buy", "sell"]),
  /** Wanted and filled, in the base asset; part or all of it may stay unfilled. */
  wanted: decimal,
  filled: decimal,
  /** Mid at the decision, and the mean fill price; null if nothing was filled. */
  decision_price: decimal,
  fill_price: z.nullable(decimal),
  /** Coins given and received, excluding the fee; the fee and its coin. */
  gave: z.object({ coin, amount: decimal }),
  got: z.object({ coin, amount: decimal }),
  fee: z.object({ coin, amount: decimal }),
  /** Null while it waits for its fill. */
  filled_at_ms: z.nullable(timeMs),
  fill_leaf: z.nullable(z.int()),
  /**
   * In pUSDT at the index of the decision: how much worse than the mid of the decision; negative if
   * better.
   */
  slippage: decimal,
  /** Why less than the wanted amount was filled; null if all of it was. */
  short: z.nullable(z.string()),
  /** Limit price: fills at this price or better, or not at all. */
  limit: decimal,
  /** On a live market: the venue's own taker fee of the lowest volume. */
  venue_fee_bp: z.nullable(bp),
});

export const trade = z.object({
  trade_id: id,
  product_id: id,
  number: z.int(),
  /**
   * arbitrage: the strategy's own trade. stock: returns assets to their target shares. unwind:
   * trades away a drift left by legs that filled alone. raise: sells stock to pay redemptions.
   */
  purpose: z.enum(["arbitrage", "stock", "unwind", "raise"]),
  decided_at_ms: timeMs,
  /** When the last leg was filled or given up; null while one waits. */
  filled_at_ms: z.nullable(timeMs),
  /** Index of the `books` leaf of the decision; each leg names that of its fill. */
  decision_leaf: z.int(),
  /**
   * waiting: decided, not filled yet. filled, partial, missed: all, some or none of the wanted
   * amount.
   */
  state: z.enum(["waiting", "filled", "partial", "missed"]),
  /** The gap the strategy saw at the decision and the threshold it had to exceed, in bp. */
  seen_bp: z.nullable(bp),
  legs: z.array(tradeLeg),
  /**
   * In pUSDT at the index of the decision, signed: gross − slippage − fees = net. Gross is the
   * result of the legs at the mids of the decision; slippage is half-spread, depth and the move
   * until the fill. Null while a leg waits.
   */
  gross: z.nullable(decimal),
  fees: z.nullable(decimal),
  slippage: z.nullable(decimal),
  net: z.nullable(decimal),
  /**
   * On a live market: the cost of the same fills at the venues themselves, from the books that the
   * legs met, in pUSDT at the index of the decision. Spread and delay are the two parts of
   * `slippage`; the fees are the venues' own, from the catalogue named. Null elsewhere.
   */
  at_venue: z.nullable(
    z.object({
      fees: decimal,
      spread: decimal,
      delay: decimal,
      net: decimal,
      fee_source: z.string(),
    }),
  ),
});
export type Trade = z.infer<typeof trade>;
