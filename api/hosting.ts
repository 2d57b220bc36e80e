import * as z from "zod/mini";
import { defineCall } from "#api/call.ts";
import { historyAnswer } from "#api/hosting/historyTest.ts";
import { dailyEarning, holding } from "#api/hosting/holding.ts";
import { hostingOrder, hostingStatus } from "#api/hosting/order.ts";
import { navPoint, pool } from "#api/hosting/pool.ts";
import { run } from "#api/hosting/run.ts";
import { bp, strategy } from "#api/hosting/shapes.ts";
import { book, trade } from "#api/hosting/trade.ts";
import {
  coin,
  decimal,
  fillCosts,
  hash,
  id,
  pageSchema,
  paging,
  spanOfTime,
  timeMs,
} from "#api/shapes.ts";

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
    /** Units with up to eight digits, or "all" for those not blocked yet. */
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
        /** Current value; `paid_in`, `paid_out` and `result` count from the first subscription. */
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

export const getDailyEarnings = defineCall({
  method: "GET",
  path: "/api/pledge/getDailyEarnings",
  summary: "Units × change of NAV by world day and pool, newest first; negative for a loss",
  access: "user",
  input: z.object({ product_id: z.optional(id), ...paging }),
  answer: pageSchema(dailyEarning),
  errors: ["session.required", "hosting.unknown"],
});

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
