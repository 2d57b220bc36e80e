import * as z from "zod/mini";
import { defineCall } from "#api/call.ts";
import { marketKind } from "#api/meta.ts";
import {
  coin,
  decimal,
  fillCosts,
  hash,
  id,
  pageSchema,
  paging,
  spanOfTime,
  symbol,
  timeMs,
} from "#api/shapes.ts";

/**
 * Hosting (docs/rules/hosting.md): pools that run a strategy on paper. Money in and out is pUSDT;
 * units and NAV have eight digits. Changes in basis points are signed decimal strings with two
 * digits ("-3.25"), since a day of arbitrage may move less than one. All times are world time.
 */
const strategy = z.enum(["cross", "triangle", "hold"]);
const friction = z.enum(["frictionless", "realistic", "harsh"]);
export type Friction = z.infer<typeof friction>;
const hostingAction = z.enum(["subscribe", "redeem"]);
const hostingStatus = z.enum(["processing", "over"]);

const bp = z.string();

/**
 * Result of a whole run of the strategy under one friction preset since the pool's start.
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

/** One person's current holding in one pool. */
const holding = z.object({
  product_id: id,
  /** All units, and how many of them wait to be redeemed. */
  units: decimal,
  units_blocked: decimal,
  /** Subscriptions waiting for their mark: already charged, not units yet. */
  waiting: decimal,
  nav: decimal,
  /** units × NAV, rounded down, before the redemption fee. */
  value: decimal,
  paid_in: decimal,
  paid_out: decimal,
  /** value + paid_out − (paid_in − waiting), signed. */
  result: decimal,
  today: decimal,
  return_bp: z.nullable(bp),
  /** NAV at which selling all units would return their cost after the fee; null without units. */
  break_even_nav: z.nullable(decimal),
});
export type Holding = z.infer<typeof holding>;

const pool = z.object({
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
  /** Of these, filled since the world day began. */
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

export const getProductList = defineCall({
  method: "GET",
  path: "/api/pledge/getProductList",
  summary: "The hosting pools with their results, costs and benchmark",
  access: "public",
  input: z.object({ product_id: z.optional(id) }),
  answer: z.object({
    items: z.array(pool),
    /** Pools that this world cannot run, with the symbols or venues that are missing. */
    not_offered: z.array(z.object({ product_id: id, strategy, missing: z.array(z.string()) })),
  }),
  errors: ["hosting.unknown"],
});

/**
 * Time, NAV, buy-and-hold, frictionless, harsh, drawdown in bp (zero or negative). The four values
 * are scaled to start at 1.
 */
const navPoint = z.tuple([timeMs, decimal, decimal, decimal, decimal, bp]);
export type NavPoint = z.infer<typeof navPoint>;

export const getNavHistory = defineCall({
  method: "GET",
  path: "/api/pledge/getNavHistory",
  summary:
    "Marks of a pool, oldest first, thinned to at most 500; the lowest and highest of each stretch are kept",
  access: "public",
  input: z.object({
    product_id: id,
    range: z._default(z.enum(["hour", "day", "week", "month", "all"]), "day"),
  }),
  answer: z.object({ items: z.array(navPoint), marks: z.int() }),
  errors: ["hosting.unknown"],
});

/** Price and size as decimals, at the symbol's price scale and the volume scale. */
const level = z.tuple([decimal, decimal]);
const book = z.object({
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
  /** Why less than wanted was filled; null if all of it was. */
  short: z.nullable(z.string()),
  /** Limit price: fills at this price or better, or not at all. */
  limit: decimal,
  /** On a live market: the venue's own taker fee of the lowest volume. */
  venue_fee_bp: z.nullable(bp),
});

const trade = z.object({
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
   * In pUSDT at the index of the decision, signed: gross − slippage − fees = net. Gross is what the
   * legs would have made at the mids of the decision; slippage is half-spread, depth and the move
   * until the fill. Null while a leg waits.
   */
  gross: z.nullable(decimal),
  fees: z.nullable(decimal),
  slippage: z.nullable(decimal),
  net: z.nullable(decimal),
  /**
   * On a live market: what the same would have cost at the venues themselves, from the books that
   * the legs met, in pUSDT at the index of the decision. Spread and delay are the two parts of
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

export const getTrades = defineCall({
  method: "GET",
  path: "/api/pledge/getTrades",
  summary: "Every paper trade of a pool, newest first",
  access: "public",
  input: z.object({ product_id: id, ...paging }),
  answer: pageSchema(trade),
  errors: ["hosting.unknown"],
});

export const getTrade = defineCall({
  method: "GET",
  path: "/api/pledge/getTrade",
  summary: "One paper trade with the books at decision and fill, as recorded in the log",
  access: "public",
  input: z.object({ trade_id: id }),
  answer: z.object({
    trade,
    /** One per leg, in leg order; null where the venue had no fresh book. */
    decision_books: z.array(z.nullable(book)),
    fill_books: z.array(z.nullable(book)),
    /**
     * In pUSDT at the index of the decision: what lies between the mids and the fills, together
     * `slippage` + `fees` of the trade; null while a leg waits.
     */
    costs: z.nullable(fillCosts),
  }),
  errors: ["hosting.trade_unknown"],
});

const moneyErrors = [
  "session.required",
  "hosting.unknown",
  "hosting.not_ready",
  "money.amount_malformed",
  "money.excess_digits",
  "money.amount_too_large",
  "ledger.refused",
  "idempotency.key_missing",
  "idempotency.key_malformed",
  "idempotency.body_changed",
] as const;

export const trusteeshipProduct = defineCall({
  method: "POST",
  path: "/api/pledge/trusteeshipProduct",
  summary:
    "Subscribes: pUSDT is charged at once, units are issued at the next mark, at a NAV nobody knows yet",
  access: "user",
  money: true,
  input: z.object({
    product_id: id,
    amount: decimal,
    /** Hash of the terms the person saw; refused if they have changed since. */
    terms_hash: hash,
  }),
  answer: z.object({
    order_id: id,
    order_hash: hash,
    accepted_at_ms: timeMs,
    amount: decimal,
    /** The earliest mark that can execute it. */
    mark_at_ms: timeMs,
  }),
  errors: [
    ...moneyErrors,
    "session.suspended",
    "terms.required",
    "hosting.terms_changed",
    "hosting.amount_too_small",
    "hosting.amount_too_large",
    "hosting.suspended",
    "hosting.recording_ended",
    "class.paused",
    "hosting.log_behind",
    "ledger.overdraft",
  ],
});

export const redeem = defineCall({
  method: "POST",
  path: "/api/pledge/redeem",
  summary:
    "Redeems units at the next mark: they are blocked at once and paid to the wallet at that mark, whatever the amount",
  access: "user",
  money: true,
  input: z.object({
    product_id: id,
    /** Units with up to eight digits, or "all" for what is not blocked yet. */
    units: decimal,
    /** The user's own attempt that holds them, closed or not; defaults to the current one. */
    attempt_id: z.optional(id),
  }),
  answer: z.object({
    order_id: id,
    order_hash: hash,
    accepted_at_ms: timeMs,
    units: decimal,
    mark_at_ms: timeMs,
  }),
  errors: [
    ...moneyErrors,
    "attempts.unknown",
    "hosting.units_too_small",
    "hosting.units_not_there",
  ],
});

const hostingOrder = z.object({
  order_id: id,
  attempt_id: id,
  product_id: id,
  strategy,
  action: hostingAction,
  status: hostingStatus,
  /**
   * returned: a subscription whose mark could no longer come because the recording ended; the money
   * was returned.
   */
  outcome: z.nullable(z.enum(["executed", "returned"])),
  coin,
  /**
   * Subscription: the amount charged. Redemption: units × NAV before the fee; null until its mark.
   */
  amount: z.nullable(decimal),
  /** Issued or redeemed; null for a subscription until its mark. */
  units: z.nullable(decimal),
  nav: z.nullable(decimal),
  /** Redemption fee, which stays in the pool. Null until its mark; always 0 for a subscription. */
  fee: z.nullable(decimal),
  /** Amount paid to the wallet; null until over, and for an executed subscription. */
  payout: z.nullable(decimal),
  accepted_at_ms: timeMs,
  /**
   * Index of the leaf that includes its hash; its mark comes after this leaf. Null until the next
   * second.
   */
  bound_leaf: z.nullable(z.int()),
  mark_at_ms: z.nullable(timeMs),
  mark_leaf: z.nullable(z.int()),
  /** Why it still waits; null when over, and while its minute has simply not ended. */
  waiting_for: z.nullable(z.enum(["index", "recording_ended"])),
  terms_hash: hash,
  order_hash: hash,
  market: z.object({ kind: marketKind, speed: z.int() }),
});
export type HostingOrder = z.infer<typeof hostingOrder>;

export const getOrderList = defineCall({
  method: "GET",
  path: "/api/pledge/getOrderList",
  summary: "The user's subscriptions and redemptions, newest first",
  access: "user",
  input: z.object({
    product_id: z.optional(id),
    status: z.optional(hostingStatus),
    ...paging,
  }),
  answer: pageSchema(hostingOrder),
  errors: ["session.required"],
});

export const findOrder = defineCall({
  method: "GET",
  path: "/api/pledge/findOrder",
  summary: "One subscription or redemption of the user",
  access: "user",
  input: z.object({ order_id: id }),
  answer: hostingOrder,
  errors: ["session.required", "hosting.order_unknown"],
});

export const findTrusteeshipInfo = defineCall({
  method: "GET",
  path: "/api/pledge/findTrusteeshipInfo",
  summary: "What this attempt, or another of the user's own, has hosted and what that made or lost",
  access: "user",
  input: z.object({ attempt_id: z.optional(id) }),
  answer: z.object({
    coin,
    /** Value of all units at the last marks, and the amount waiting for a mark. */
    hosted: decimal,
    waiting: decimal,
    /**
     * Change since the last mark of the previous world day, and since the first subscription; flows
     * excluded, fees included, signed.
     */
    today: decimal,
    cumulative: decimal,
    paid_in: decimal,
    /** `cumulative` relative to `paid_in`; null before anything was paid in. */
    return_bp: z.nullable(bp),
    /** The worst among the pools held, since their start. */
    worst_drawdown_bp: z.nullable(bp),
    holdings: z.array(holding),
  }),
  errors: ["session.required", "attempts.unknown"],
});

export const getPoolResults = defineCall({
  method: "GET",
  path: "/api/pledge/getPoolResults",
  summary:
    "The current attempt's pools: what they have, what a span earned, and the coin held instead",
  access: "user",
  input: z.object(spanOfTime),
  answer: z.object({
    items: z.array(
      z.object({
        product_id: id,
        strategy,
        units: decimal,
        nav: decimal,
        /** Now; since the first subscription are `paid_in`, `paid_out` and `result`. */
        value: decimal,
        waiting: decimal,
        paid_in: decimal,
        paid_out: decimal,
        result: decimal,
        /** Units × change of NAV over the world days that began in the span, and fees paid then. */
        earned: decimal,
        fees: decimal,
        /**
         * The current value of the same payments held in the pool's coin itself, without any cost:
         * to compare with `value`. Null before the first mark.
         */
        held_instead: z.nullable(decimal),
      }),
    ),
  }),
  errors: ["session.required"],
});

const dailyEarning = z.object({
  day_at_ms: timeMs,
  product_id: id,
  strategy,
  /** Units at the day's last mark. */
  units: decimal,
  nav_from: decimal,
  nav_to: decimal,
  /** Sum of units × change of NAV over the day, signed, half to even; excluding redemption fees. */
  earned: decimal,
  /** Redemption fees paid that day. */
  fees: decimal,
});
export type DailyEarning = z.infer<typeof dailyEarning>;

export const getDailyEarnings = defineCall({
  method: "GET",
  path: "/api/pledge/getDailyEarnings",
  summary: "Units × change of NAV by world day and pool, newest first; negative for a loss",
  access: "user",
  input: z.object({ product_id: z.optional(id), ...paging }),
  answer: pageSchema(dailyEarning),
  errors: ["session.required", "hosting.unknown"],
});

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
  /** Its inventory by venue, and transfers under way between venues. */
  inventory: z.array(z.object({ venue: z.string(), coin, amount: decimal })),
  moving: z.array(
    z.object({ from: z.string(), to: z.string(), coin, amount: decimal, arrives_at_ms: timeMs }),
  ),
  /** Orders waiting for their fill. */
  pending: z.int(),
  /** units × NAV as of the last mark; the current value is not a mark, and nobody trades at it. */
  nav: z.nullable(decimal),
  nav_at_ms: z.nullable(timeMs),
  drawdown_now_bp: bp,
  trades: z.int(),
});
export type Run = z.infer<typeof run>;

export const getRun = defineCall({
  method: "GET",
  path: "/api/pledge/getRun",
  summary:
    "What a strategy sees in this second, and why it does or does not trade; also on the stream as `run`",
  access: "public",
  input: z.object({ product_id: id }),
  answer: run,
  errors: ["hosting.unknown", "hosting.not_ready"],
});

const historyTest = z.object({
  from_ms: timeMs,
  to_ms: timeMs,
  moments: z.int(),
  /** Put in, in the pool's coin. */
  start: decimal,
  outcomes: z.array(
    z.object({
      friction,
      worth: decimal,
      /** Worth less what was put in, signed. */
      result: decimal,
      return_bp: bp,
      drawdown_bp: bp,
      trades: z.int(),
      fees: decimal,
      slippage: decimal,
    }),
  ),
  hold_return_bp: bp,
  /** Time, and the change so far: frictionless, realistic, harsh, buy-and-hold. */
  line: z.array(z.tuple([timeMs, bp, bp, bp, bp])),
  /** Time, the widest gap of a stretch at realistic friction, and the gap needed then. */
  gaps: z.array(z.tuple([timeMs, bp, bp])),
  /** Moments with a gap to judge, and those in which it was wide enough. */
  seen: z.int(),
  wide: z.int(),
});

const historyAnswer = z.object({
  /**
   * pending: still being computed. too_short: too little market before the world. none: there was
   * none, as on a live market.
   */
  state: z.enum(["ready", "pending", "too_short", "none"]),
  test: z.nullable(historyTest),
  /**
   * The inputs from which it can be recomputed; a simulated market's seed once its first day is
   * revealed.
   */
  inputs: z.nullable(
    z.union([
      z.object({
        kind: z.literal("simulated"),
        begin_leaf: z.int(),
        reveal_leaf: z.nullable(z.int()),
      }),
      z.object({ kind: z.literal("recording"), sha256: hash }),
    ]),
  ),
});
export type HistoryAnswer = z.infer<typeof historyAnswer>;

export const getHistoryTest = defineCall({
  method: "GET",
  path: "/api/pledge/getHistoryTest",
  summary:
    "What a pool's strategy would have done in the market before the world's first second: a test, not a result",
  access: "public",
  input: z.object({ product_id: id }),
  answer: historyAnswer,
  errors: ["hosting.unknown"],
});

/**
 * Receipts are validated by their own format (docs/formats/hosting.md), not by the wire: the
 * verifier must read exactly what was sent.
 */
const receipt = z.record(z.string(), z.unknown());

export const getReceipt = defineCall({
  method: "GET",
  path: "/api/pledge/getReceipt",
  summary: "The receipt of a subscription or redemption that is over",
  access: "user",
  input: z.object({ order_id: id }),
  answer: receipt,
  errors: ["session.required", "hosting.order_unknown", "hosting.receipt_not_ready"],
});

export const getTradeReceipt = defineCall({
  method: "GET",
  path: "/api/pledge/getTradeReceipt",
  summary: "The receipt of a paper trade whose legs are filled",
  access: "public",
  input: z.object({ trade_id: id }),
  answer: receipt,
  errors: ["hosting.trade_unknown", "hosting.receipt_not_ready"],
});

export const getMarkReceipt = defineCall({
  method: "GET",
  path: "/api/pledge/getMarkReceipt",
  summary:
    "The receipt of a mark: how a pool's NAV was composed, and everything that happened since the previous mark",
  access: "public",
  input: z.object({ product_id: id, at_ms: z.coerce.number().check(z.int()) }),
  answer: receipt,
  errors: ["hosting.unknown", "hosting.mark_unknown", "hosting.receipt_not_ready"],
});

export const calls = {
  getProductList,
  getNavHistory,
  getTrades,
  getTrade,
  trusteeshipProduct,
  redeem,
  findTrusteeshipInfo,
  getOrderList,
  findOrder,
  getDailyEarnings,
  getPoolResults,
  getRun,
  getHistoryTest,
  getReceipt,
  getTradeReceipt,
  getMarkReceipt,
};
