import * as z from "zod/mini";
import { bp, level, strategy } from "#api/hosting/shapes.ts";
import { coin, decimal, id, symbol, timeMs } from "#api/shapes.ts";

/** One venue's book as the strategy sees it; five levels per side. */
const runBook = z.object({
  venue: z.string(),
  symbol,
  /** The strategy does not trade on stale or missing books. */
  fresh: z.boolean(),
  bids: z.array(level),
  asks: z.array(level),
});

export const run = z.object({
  product_id: id,
  strategy,
  /**
   * The second (in a replay: the minute) that was evaluated, and the `second` leaf of its prices.
   */
  at_ms: timeMs,
  leaf: z.int(),
  books: z.array(runBook),
  /**
   * Best gap it sees in bp before costs, and the width at which the strategy trades; null without
   * two fresh books.
   */
  gap_bp: z.nullable(bp),
  threshold_bp: z.nullable(bp),
  /** Where the gap is, as "buy at … sell at …", or the legs of a triangle. */
  path: z.array(z.object({ venue: z.string(), symbol, side: z.enum(["buy", "sell"]) })),
  /**
   * The action taken, or the reason for not trading, by a stable name (docs/rules/hosting.md, "Why
   * not").
   */
  decision: z.enum(["traded", "idle"]),
  reason: z.nullable(z.string()),
  /** The pool's inventory by venue, and pending transfers between venues. */
  inventory: z.array(z.object({ venue: z.string(), coin, amount: decimal })),
  moving: z.array(
    z.object({ from: z.string(), to: z.string(), coin, amount: decimal, arrives_at_ms: timeMs }),
  ),
  /** Orders waiting for their fill. */
  pending: z.int(),
  /**
   * units × NAV as of the last mark; the current value is not a mark, and no order executes at it.
   */
  nav: z.nullable(decimal),
  nav_at_ms: z.nullable(timeMs),
  drawdown_now_bp: bp,
  trades: z.int(),
});
export type Run = z.infer<typeof run>;
