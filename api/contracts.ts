import * as z from "zod/mini";
import { defineCall } from "#api/call.ts";
import { marketKind } from "#api/meta.ts";
import {
  coin,
  decimal,
  fillCosts,
  hash,
  id,
  nothing,
  pageSchema,
  paging,
  queryInt,
  spanOfTime,
  symbol,
  timeMs,
} from "#api/shapes.ts";
import { intervalNames } from "#core/market/intervals.ts";

const direction = z.enum(["up", "down"]);
const orderStatus = z.enum(["waiting", "closing", "over"]);
const outcome = z.enum(["won", "lost", "tie", "void"]);

const contract = z.object({
  contract_id: id,
  symbol,
  base: z.string(),
  quote: z.string(),
  type: z.enum(["major", "alt", "stable"]),
  price_scale: z.int(),
  /** Current index; null while it has no value (a gap). */
  price: z.nullable(decimal),
  price_at_ms: z.nullable(timeMs),
  /** Change over 24 hours in basis points; null if there was no price then. */
  change_24h_bp: z.nullable(z.int()),
  high_24h: z.nullable(decimal),
  low_24h: z.nullable(decimal),
  /**
   * Of all venues, in the base coin, in the five-minute klines that opened within 24 hours; null if
   * there are none.
   */
  volume_24h: z.nullable(decimal),
  /** Up to 49 prices, oldest first: the one 24 hours ago, half-hourly closes, the current one. */
  spark: z.array(decimal),
  followed: z.boolean(),
});
export type Contract = z.infer<typeof contract>;

const tierLimits = {
  seconds: z.int(),
  range_bp: z.int(),
  rate_bp: z.int(),
  fee_bp: z.int(),
  stake_min: decimal,
  stake_max: decimal,
};
/** Orders of a tier that a person may place per real day; null if unlimited. */
const ordersPerDay = z.nullable(z.int());

/** The part of a tier that the terms fix; `core/contracts/wireTier.ts` reads and writes it. */
export const tierTerms = z.object({ ...tierLimits, orders_per_day: ordersPerDay });

/** A tier as offered: the fields fixed by its terms, and figures derived from them. */
export const tier = z.object({
  ...tierLimits,
  /** Length of the settlement window in seconds. */
  window_seconds: z.int(),
  orders_per_day: ordersPerDay,
  /** (1 + fee) / (1 + rate), in hundredths of a percent, rounded up. */
  break_even_bp: z.int(),
  /** Average loss, in pUSDT, of staking 100 on coin flips. */
  cost_per_100: decimal,
  /**
   * How many orders of this tier the person may still place this real day, counted over all
   * contracts; null if unlimited or not signed in.
   */
  orders_left_today: z.nullable(z.int()),
});

const contractDetails = z.extend(contract, {
  terms: z.object({
    terms_hash: hash,
    version: z.int(),
    published_at_ms: timeMs,
    /** Index of the `terms` leaf in the public log. */
    leaf: z.nullable(z.int()),
    tiers: z.array(tier),
  }),
  exposure: z.object({ used: decimal, cap: decimal }),
  /**
   * Counted over all orders on this contract, across this instance, that were won, lost or tied.
   */
  instance: z.object({ settled: z.int(), lost: z.int() }),
  /**
   * Null when not signed in. `settled` counts orders that were won or lost; ties (`tied`) and voids
   * are not coin flips and do not count. `luck_bp` (from ten orders on): how often coin flips do at
   * least this well. `net` is the sum of all results.
   */
  mine: z.nullable(
    z.object({
      settled: z.int(),
      won: z.int(),
      tied: z.int(),
      net: decimal,
      luck_bp: z.nullable(z.int()),
    }),
  ),
});
export type ContractDetails = z.infer<typeof contractDetails>;

export const getContractList = defineCall({
  method: "GET",
  path: "/api/contract/getContractList",
  summary: "The contracts of one type with their current price",
  access: "public",
  input: z.object({
    type: z._default(z.enum(["all", "major", "alt", "stable", "followed"]), "all"),
  }),
  answer: z.object({
    items: z.array(contract),
    /**
     * Contracts of the type that no longer take new orders: existing orders continue, and their
     * details stay readable.
     */
    withdrawn: z.array(id),
  }),
  errors: ["session.required"],
});

export const getContractDetails = defineCall({
  method: "GET",
  path: "/api/contract/getContractDetails",
  summary: "One contract with its terms, exposure and counted results",
  access: "public",
  input: z.object({ contract_id: id }),
  answer: contractDetails,
  errors: ["contracts.unknown"],
});

export const followContract = defineCall({
  method: "POST",
  path: "/api/contract/followContract",
  summary: "Follows a contract or stops following it",
  access: "user",
  input: z.object({ contract_id: id, follow: z.union([z.boolean(), z.stringbool()]) }),
  answer: z.object({ followed: z.boolean() }),
  errors: ["session.required", "contracts.unknown"],
});

/**
 * One kline: opening time, open, high, low, close, volume, and whether it predates the world's
 * first second.
 */
const kline = z.tuple([timeMs, decimal, decimal, decimal, decimal, decimal, z.boolean()]);
export type Kline = z.infer<typeof kline>;

export const getKlineData = defineCall({
  method: "GET",
  path: "/api/contract/getKlineData",
  summary: "Klines of the index, oldest first; the last one may still be open",
  access: "public",
  input: z.object({
    contract_id: id,
    interval: z.enum(intervalNames as [(typeof intervalNames)[number], ...typeof intervalNames]),
    /** Only klines that open before this; up to now if omitted. */
    before_ms: z.optional(z.coerce.number().check(z.int())),
    limit: queryInt(1, 500, 300),
  }),
  answer: z.object({
    interval: z.string(),
    price_scale: z.int(),
    items: z.array(kline),
    has_more: z.boolean(),
  }),
  errors: ["contracts.unknown"],
});

export const placeOrder = defineCall({
  method: "POST",
  path: "/api/contract/contractPlaceOrder",
  summary: "Places an up or down order; stake and fee are charged at once",
  access: "user",
  money: true,
  input: z.object({
    contract_id: id,
    direction,
    stake: decimal,
    /** The tier, identified by its duration in seconds. */
    tier: z.coerce.number().check(z.int()),
    /** Hash of the terms the person saw; refused if they have changed since. */
    terms_hash: hash,
  }),
  answer: z.object({
    order_id: id,
    order_hash: hash,
    accepted_at_ms: timeMs,
    stake: decimal,
    fee: decimal,
  }),
  errors: [
    "session.required",
    "session.suspended",
    "terms.required",
    "contracts.unknown",
    "contracts.off",
    "contracts.withdrawn",
    "contracts.terms_changed",
    "contracts.tier_unknown",
    "contracts.stake_too_small",
    "contracts.stake_too_large",
    "contracts.tier_used_up",
    "contracts.exposure_full",
    "contracts.own_exposure_full",
    "contracts.no_price",
    "contracts.recording_ended",
    "class.paused",
    "contracts.log_behind",
    "contracts.loss_limit",
    "contracts.excluded",
    "money.amount_malformed",
    "money.excess_digits",
    "money.amount_too_large",
    "ledger.overdraft",
    "idempotency.key_missing",
    "idempotency.key_malformed",
    "idempotency.body_changed",
  ],
});

export const order = z.object({
  order_id: id,
  attempt_id: id,
  contract_id: id,
  symbol,
  price_scale: z.int(),
  direction,
  tier_seconds: z.int(),
  window_seconds: z.int(),
  range_bp: z.int(),
  rate_bp: z.int(),
  fee_bp: z.int(),
  coin,
  stake: decimal,
  fee: decimal,
  market: z.object({ kind: marketKind, speed: z.int() }),
  terms_hash: hash,
  order_hash: hash,
  /**
   * Derived from world time: waiting until the window opens, closing while it is collected, over
   * once settled.
   */
  status: orderStatus,
  accepted_at_ms: timeMs,
  /** Index of the `second` leaf whose orders_root includes this order; null until the next leaf. */
  bound_leaf: z.nullable(z.int()),
  entry_at_ms: z.nullable(timeMs),
  purchase_price: z.nullable(decimal),
  delivery_at_ms: z.nullable(timeMs),
  selling_price: z.nullable(decimal),
  /**
   * Change from the entry price to the settlement price in basis points of the entry price, signed,
   * with two decimals ("-3.25").
   */
  quote_change_bp: z.nullable(z.string()),
  outcome: z.nullable(outcome),
  /** Why an order is void: no entry price in time, or too few samples in the window. */
  void_reason: z.nullable(z.enum(["no_entry", "few_samples"])),
  /** Amount returned to the wallet; null until over. */
  payout: z.nullable(decimal),
  /** Payout − stake − fee, signed; null until over. */
  net: z.nullable(decimal),
  settled_at_ms: z.nullable(timeMs),
});
export type Order = z.infer<typeof order>;

export const getOrderList = defineCall({
  method: "GET",
  path: "/api/contract/getOrderList",
  summary: "The user's orders, newest first",
  access: "user",
  input: z.object({
    contract_id: z.optional(id),
    status: z.optional(orderStatus),
    ...paging,
  }),
  answer: pageSchema(order),
  errors: ["session.required"],
});

export const findOrderStatus = defineCall({
  method: "GET",
  path: "/api/contract/findOrderStatus",
  summary: "One order of the user",
  access: "user",
  input: z.object({ order_id: id }),
  answer: order,
  errors: ["session.required", "contracts.order_unknown"],
});

export const getOrderCosts = defineCall({
  method: "GET",
  path: "/api/contract/getOrderCosts",
  summary:
    "What lay between a fair bet at the mid price and an order's result, in figures that add up",
  access: "user",
  input: z.object({ order_id: id }),
  answer: z.object({
    /** Null unless the order was won, lost or tied. */
    parts: z.nullable(
      z.object({
        /**
         * The result of a fair bet of the same stake with the same total return, from the index
         * known at acceptance to the last one of the window.
         */
        fair: decimal,
        /** `fair` less these is `net`. Negative: in the person's favour. */
        costs: fillCosts,
        net: decimal,
        prices: z.object({
          /** Null in a gap; then there is no delay. */
          accepted: z.nullable(decimal),
          entry: decimal,
          last: decimal,
          settlement: decimal,
        }),
      }),
    ),
  }),
  errors: ["session.required", "contracts.order_unknown"],
});

export const getLuck = defineCall({
  method: "GET",
  path: "/api/contract/getLuck",
  summary: "The results of the current attempt's orders beside what luck alone would do",
  access: "user",
  input: nothing,
  answer: z.object({
    /** Orders won or lost; ties are not coin flips and do not count, but their fee does. */
    decided: z.int(),
    won: z.int(),
    tied: z.int(),
    /** The sum of all results, and what coin flips at the same stakes bring on average. */
    net: decimal,
    expected: decimal,
    /**
     * Expected share of people, in hundredths of a percent, who are ahead after `orders` coin flips
     * at the terms of this person's last order. The first entry is for this person's own number of
     * orders.
     */
    ahead: z.array(z.object({ orders: z.int(), share_bp: z.int() })),
  }),
  errors: ["session.required"],
});

/** Orders that were settled in a span. */
const orderSums = {
  orders: z.int(),
  won: z.int(),
  lost: z.int(),
  tied: z.int(),
  voided: z.int(),
  /** Total stake of the orders won or lost. */
  staked: decimal,
  /** Total fees of all orders except void ones. */
  fees: decimal,
  /**
   * The average cost of payouts below fair odds: half the difference between stakes and profits.
   */
  spread: decimal,
  /** The sum of all results. */
  net: decimal,
  /** The share of wins that would have covered all stakes and fees; null without a decided one. */
  break_even_bp: z.nullable(z.int()),
  /** From ten decided orders on: how often coin flips do at least this well. */
  luck_bp: z.nullable(z.int()),
};

export const getOrderResults = defineCall({
  method: "GET",
  path: "/api/contract/getOrderResults",
  summary: "The current attempt's orders settled in a span, by market and tier, and over time",
  access: "user",
  input: z.object({
    ...spanOfTime,
    /** The reader's time zone: minutes ahead of UTC, for the hours. */
    offset_minutes: z._default(
      z.coerce.number().check(z.int(), z.minimum(-840), z.maximum(840)),
      0,
    ),
  }),
  answer: z.object({
    total: z.object(orderSums),
    groups: z.array(z.object({ contract_id: id, symbol, tier_seconds: z.int(), ...orderSums })),
    /** World time, and the sum of all results from the start of the span to it; oldest first. */
    line: z.array(z.tuple([timeMs, decimal])),
    /** By the hour in which orders were accepted; weekday 0 is Monday. */
    hours: z.array(
      z.object({
        weekday: z.int(),
        hour: z.int(),
        orders: z.int(),
        won: z.int(),
        decided: z.int(),
        net: decimal,
      }),
    ),
  }),
  errors: ["session.required"],
});

export const getReceipt = defineCall({
  method: "GET",
  path: "/api/contract/getReceipt",
  summary: "The receipt of a settled order, in the format of docs/formats/receipt.md",
  access: "user",
  input: z.object({ order_id: id }),
  /** Validated by its own format, not by the wire: the verifier must read exactly what was sent. */
  answer: z.record(z.string(), z.unknown()),
  errors: ["session.required", "contracts.order_unknown", "contracts.receipt_not_ready"],
});

export const selfLimits = z.object({
  /**
   * Largest loss in pUSDT that a person allows themselves on contracts per real day; null if no
   * limit is set.
   */
  daily_loss_limit: z.nullable(decimal),
  /** A higher or removed limit takes effect at `from_ms`, never early. */
  daily_loss_limit_next: z.nullable(z.object({ limit: z.nullable(decimal), from_ms: timeMs })),
  lost_today: decimal,
  /** Real time until which the person has excluded themselves; null if not excluded. */
  excluded_until_ms: z.nullable(timeMs),
  excluded_for_good: z.boolean(),
});

export const getSelfLimits = defineCall({
  method: "GET",
  path: "/api/contract/getSelfLimits",
  summary: "The limits that this person has set for themselves on contracts",
  access: "user",
  input: nothing,
  answer: selfLimits,
  errors: ["session.required"],
});

export const setLossLimit = defineCall({
  method: "POST",
  path: "/api/contract/setLossLimit",
  summary:
    "Sets the daily loss limit: a lower one applies at once, a higher one or none only from the next real day",
  access: "user",
  input: z.object({ daily_loss_limit: z.nullable(decimal) }),
  answer: selfLimits,
  errors: [
    "session.required",
    "money.amount_malformed",
    "money.excess_digits",
    "money.amount_too_large",
  ],
});

export const excludeMyself = defineCall({
  method: "POST",
  path: "/api/contract/excludeMyself",
  summary:
    "Bars this person from new contract orders for a day, 30 days or for good; cannot be undone early",
  access: "user",
  input: z.object({ period: z.enum(["day", "month", "forever"]) }),
  answer: selfLimits,
  errors: ["session.required", "contracts.exclusion_not_longer"],
});

export const calls = {
  getContractList,
  getContractDetails,
  followContract,
  getKlineData,
  placeOrder,
  getOrderList,
  findOrderStatus,
  getOrderCosts,
  getLuck,
  getOrderResults,
  getReceipt,
  getSelfLimits,
  setLossLimit,
  excludeMyself,
};
