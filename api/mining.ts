import * as z from "zod/mini";
import { defineCall } from "#api/call.ts";
import { marketKind } from "#api/meta.ts";
import {
  coin,
  decimal,
  hash,
  id,
  nothing,
  pageSchema,
  paging,
  spanOfTime,
  timeMs,
} from "#api/shapes.ts";

/**
 * Mining (docs/rules/mining.md). Prices and power are pUSDT, payouts pBTC. There is no call for the
 * calculator: it runs in the browser on `core/mining/calculator.ts`, with data from these calls.
 */
const leaseStatus = z.enum(["running", "at_work", "maturity"]);

/** Satoshi with up to four decimals, since one TH/s earns no whole number of them in a day. */
const satoshi = decimal;

const machine = z.object({
  product_id: id,
  maker: z.string(),
  model: z.string(),
  /** Source of the maker's figures. */
  source: z.string(),
  hashrate_ths: decimal,
  power_w: z.int(),
  joules_per_th: decimal,
  /** Per machine and 86 400 s, in pUSDT. */
  price_per_day: decimal,
  electricity_per_kwh: decimal,
  power_per_day: decimal,
  pool_fee_bp: z.int(),
  days_min: z.int(),
  days_max: z.int(),
  /** Most machines per lease. */
  quantity_max: z.int(),
  stock: z.int(),
  stock_left: z.int(),
  terms_hash: hash,
  version: z.int(),
  published_at_ms: timeMs,
  /** Index of the `terms` leaf in the public log. */
  leaf: z.int(),
  /**
   * One machine for one day if the network and BTC price stayed as they are now, which they do not;
   * null without a price. `payout` after the pool fee in pBTC, `worth` of it in pUSDT, `net` =
   * worth − price − power, signed.
   */
  expected: z.nullable(z.object({ payout: decimal, worth: decimal, net: decimal })),
});
export type Machine = z.infer<typeof machine>;

const networkNow = z.object({
  source: z.enum(["simulated", "replay"]),
  /**
   * The whole hour of world time at which these figures were read; they decide payouts until the
   * next.
   */
  read_at_ms: timeMs,
  /** Index of the `network` leaf; the `payout` leaf is the one after it. */
  leaf: z.int(),
  height: z.int(),
  block_at_ms: timeMs,
  difficulty: decimal,
  /** Hashrate of the whole network that the difficulty implies, in EH/s. */
  hashrate_ehs: decimal,
  /** Per block, in pBTC. */
  subsidy: decimal,
  /** Mean of the last 144 blocks, in pBTC. */
  mean_fee: decimal,
  /** 1 TH/s for one day before the pool fee. */
  per_th_day_sat: satoshi,
  epoch: z.object({
    first_height: z.int(),
    blocks_done: z.int(),
    blocks: z.int(),
    /**
     * Assumes that the coming blocks take as long as those of this epoch so far; null before its
     * first block. Ten-thousandths, signed.
     */
    next_change_bp: z.nullable(z.int()),
    next_at_ms: z.nullable(timeMs),
  }),
  halving: z.object({ height: z.int(), blocks_left: z.int(), subsidy_after: decimal }),
});

/**
 * One reading: hour, height, difficulty, and what 1 TH/s earns per day at that rate before the pool
 * fee, in satoshi.
 */
const networkPoint = z.tuple([timeMs, z.int(), decimal, satoshi]);

export const getNetwork = defineCall({
  method: "GET",
  path: "/api/machine/getNetwork",
  summary:
    "The network figures that mining payouts use: now, in this difficulty epoch, and their history",
  access: "public",
  input: nothing,
  answer: z.extend(networkNow, {
    /** One reading per day for at most the last 90 days, oldest first. */
    history: z.array(networkPoint),
    /** Current index of BTC/USDT; null if there is none. */
    btc_price: z.nullable(decimal),
  }),
  errors: ["mining.not_ready"],
});

export const getProductList = defineCall({
  method: "GET",
  path: "/api/machine/getProductList",
  summary: "Machines for lease with their cost and what they would earn at current figures",
  access: "public",
  input: z.object({ product_id: z.optional(id) }),
  answer: z.object({
    items: z.array(machine),
    btc_price: z.nullable(decimal),
    /**
     * Counted over this instance's ended leases: how many there are, and how many earned less than
     * they cost.
     */
    instance: z.object({ ended: z.int(), lost: z.int() }),
  }),
  errors: ["mining.unknown"],
});

export const lease = z.object({
  lease_id: id,
  attempt_id: id,
  product_id: id,
  maker: z.string(),
  model: z.string(),
  quantity: z.int(),
  /** Days paid for when the lease began. */
  days: z.int(),
  /** Days it works: `days`, or fewer after an early end. */
  days_to_work: z.int(),
  days_paid: z.int(),
  /** Sum over the lease's machines. */
  hashrate_ths: decimal,
  power_w: z.int(),
  coin,
  /** For all machines and one day. */
  price_per_day: decimal,
  power_per_day: decimal,
  /** Charged at the start, for all days. */
  price: decimal,
  power: decimal,
  pool_fee_bp: z.int(),
  terms_hash: hash,
  market: z.object({ kind: marketKind, speed: z.int() }),
  /**
   * Derived from world time: running while it is commissioned (one hour), at_work while it mines,
   * maturity after its last day.
   */
  status: leaseStatus,
  accepted_at_ms: timeMs,
  starts_at_ms: timeMs,
  ends_at_ms: timeMs,
  /** Total credited, in pBTC, and its worth at the current index. */
  mined: decimal,
  mined_worth: z.nullable(decimal),
  /**
   * Accrued since the last whole day, up to `as_of_ms`, and not credited yet. In pBTC, rounded
   * down.
   */
  today_so_far: decimal,
  as_of_ms: timeMs,
  /** Per day at the current reading, after the pool fee, in pBTC. */
  rate_per_day: decimal,
  next_payout_at_ms: z.nullable(timeMs),
  /** Price and power refunded at an early end; null without one. */
  refund: z.nullable(z.object({ price: decimal, power: decimal, at_ms: timeMs })),
  /**
   * The refund if it ended now; null if no whole day is unused. A day that has begun is worked and
   * paid.
   */
  end_now: z.nullable(z.object({ unused_days: z.int(), price: decimal, power: decimal })),
  /** Price and power of the days not worked yet: committed, neither returned nor spent. */
  at_work: decimal,
  /** mined_worth + refund + at_work − price − power, signed; null without an index. */
  result: z.nullable(decimal),
});
export type Lease = z.infer<typeof lease>;

export const leaseProduct = defineCall({
  method: "POST",
  path: "/api/machine/leaseProduct",
  summary: "Leases machines; price and electricity for all days are charged at once",
  access: "user",
  money: true,
  input: z.object({
    product_id: id,
    quantity: z.coerce.number().check(z.int()),
    days: z.coerce.number().check(z.int()),
    /** Hash of the terms the person saw; refused if they have changed since. */
    terms_hash: hash,
  }),
  answer: z.object({
    lease_id: id,
    lease_hash: hash,
    price: decimal,
    power: decimal,
    accepted_at_ms: timeMs,
    starts_at_ms: timeMs,
    ends_at_ms: timeMs,
  }),
  errors: [
    "session.required",
    "session.suspended",
    "terms.required",
    "mining.unknown",
    "mining.terms_changed",
    "mining.quantity_out_of_range",
    "mining.days_out_of_range",
    "mining.sold_out",
    "mining.own_share_full",
    "mining.not_ready",
    "mining.world_ended",
    "class.paused",
    "mining.withdrawn",
    "ledger.overdraft",
    "ledger.refused",
    "idempotency.key_missing",
    "idempotency.key_malformed",
    "idempotency.body_changed",
  ],
});

export const endLease = defineCall({
  method: "POST",
  path: "/api/machine/endLease",
  summary:
    "Ends a lease early: refunds 80 % of the price of unused whole days and all of their power",
  access: "user",
  money: true,
  input: z.object({
    lease_id: id,
    /** As shown in `end_now`; refused if another day has begun since. */
    unused_days: z.coerce.number().check(z.int()),
  }),
  answer: z.object({
    lease_id: id,
    ending_hash: hash,
    unused_days: z.int(),
    price: decimal,
    power: decimal,
    /** The end of the day that has begun. */
    ends_at_ms: timeMs,
  }),
  errors: [
    "session.required",
    "mining.lease_unknown",
    "mining.nothing_to_return",
    "mining.lease_changed",
    "ledger.refused",
    "idempotency.key_missing",
    "idempotency.key_malformed",
    "idempotency.body_changed",
  ],
});

export const myMachine = defineCall({
  method: "GET",
  path: "/api/machine/myMachine",
  summary: "What is leased now, and the totals of all leases of this attempt",
  access: "user",
  input: nothing,
  answer: z.object({
    /** Running and at work, newest first; at most 100. `open` counts all. */
    items: z.array(lease),
    open: z.int(),
    hashrate_ths: decimal,
    /** Over all leases of the attempt: charges less refunds in pUSDT, mined in pBTC. */
    spent: decimal,
    mined: decimal,
    mined_worth: z.nullable(decimal),
    today_so_far: decimal,
  }),
  errors: ["session.required"],
});

export const getOrderList = defineCall({
  method: "GET",
  path: "/api/machine/getOrderList",
  summary: "The user's leases, newest first",
  access: "user",
  input: z.object({ status: z.optional(leaseStatus), ...paging }),
  answer: pageSchema(lease),
  errors: ["session.required"],
});

export const findLease = defineCall({
  method: "GET",
  path: "/api/machine/findLease",
  summary: "One lease of the user",
  access: "user",
  input: z.object({ lease_id: id }),
  answer: lease,
  errors: ["session.required", "mining.lease_unknown"],
});

export const getLeaseResults = defineCall({
  method: "GET",
  path: "/api/machine/getLeaseResults",
  summary:
    "The current attempt's leases that worked in a span, the newest 100: paid, got, break-even",
  access: "user",
  input: z.object(spanOfTime),
  answer: z.object({
    items: z.array(
      z.object({
        lease_id: id,
        model: z.string(),
        quantity: z.int(),
        /** Days the lease runs, and the number of them paid so far. */
        days: z.int(),
        days_paid: z.int(),
        from_ms: timeMs,
        to_ms: timeMs,
        /** Price and power of all days, less refunds. */
        paid: decimal,
        /** In pBTC; its worth in pUSDT when it was credited, and now. */
        mined: decimal,
        worth_then: decimal,
        worth_now: z.nullable(decimal),
        /**
         * The end of the day by which it will have mined its cost, if network and price stay as
         * they were at acceptance, and as they are now. Null: not within its days, or no price.
         */
        break_even_then_ms: z.nullable(timeMs),
        break_even_now_ms: z.nullable(timeMs),
      }),
    ),
  }),
  errors: ["session.required"],
});

const payout = z.object({
  lease_id: id,
  maker: z.string(),
  model: z.string(),
  quantity: z.int(),
  /** 1 is the first day of the lease. */
  day: z.int(),
  from_ms: timeMs,
  to_ms: timeMs,
  /**
   * Before and after the pool fee, in satoshi with four decimals, and the amount credited in pBTC.
   */
  gross_sat: satoshi,
  net_sat: satoshi,
  amount: decimal,
  /** Power of that day, part of the charge at the start, in pUSDT. */
  power: decimal,
  price: decimal,
  /** Worth of `amount` in pUSDT at the index when it was credited; null without one. */
  worth: z.nullable(decimal),
  /** Null for a day that earned less than one satoshi. */
  journal_id: z.nullable(id),
});
export type Payout = z.infer<typeof payout>;

export const getPayoutList = defineCall({
  method: "GET",
  path: "/api/machine/getPayoutList",
  summary: "Daily payouts, newest first",
  access: "user",
  input: z.object({ lease_id: z.optional(id), ...paging }),
  answer: pageSchema(payout),
  errors: ["session.required", "mining.lease_unknown"],
});

export const getReceipt = defineCall({
  method: "GET",
  path: "/api/machine/getReceipt",
  summary:
    "The receipt of a lease, in full or for one day, in the format of docs/formats/mining.md",
  access: "user",
  input: z.object({
    lease_id: id,
    /** Only this day; all days paid so far if omitted. */
    day: z.optional(z.coerce.number().check(z.int())),
  }),
  /** Validated by its own format, not by the wire: the verifier must read exactly what was sent. */
  answer: z.record(z.string(), z.unknown()),
  errors: ["session.required", "mining.lease_unknown", "mining.receipt_not_ready"],
});

export const calls = {
  getProductList,
  getNetwork,
  leaseProduct,
  endLease,
  myMachine,
  getOrderList,
  findLease,
  getLeaseResults,
  getPayoutList,
  getReceipt,
};
