import * as z from "zod/mini";
import { defineCall } from "#api/call.ts";
import { marketKind } from "#api/meta.ts";
import { coin, decimal, hash, id, nothing, pageOf, paging, timeMs } from "#api/shapes.ts";

/**
 * Mining (docs/rules/mining.md). Prices and power are pUSDT, payouts pBTC. The calculator runs in
 * the browser on
 * `core/mining/calculator.ts`, from what these calls give; there is no call for it.
 */
const leaseStatus = z.enum(["running", "at_work", "maturity"]);

/**
 * Satoshi with up to four decimals: what one TH/s brings in a day is a fraction of a coin's last
 * digit.
 */
const satoshi = decimal;

const machine = z.object({
  product_id: id,
  maker: z.string(),
  model: z.string(),
  /** Where the maker's figures are from. */
  source: z.string(),
  hashrate_ths: decimal,
  power_w: z.int(),
  joules_per_th: decimal,
  /** Of one machine, for 86 400 s, in pUSDT. */
  price_per_day: decimal,
  electricity_per_kwh: decimal,
  power_per_day: decimal,
  pool_fee_bp: z.int(),
  days_min: z.int(),
  days_max: z.int(),
  /** Machines one lease may have. */
  quantity_max: z.int(),
  stock: z.int(),
  stock_left: z.int(),
  terms_hash: hash,
  version: z.int(),
  published_at_ms: timeMs,
  /** Index of the `terms` leaf in the public log. */
  leaf: z.int(),
  /**
   * One machine for one day if network and BTC price stayed as they are now, which they do not;
   * null without a price.
   * `payout` after the pool's fee in pBTC, `worth` of it in pUSDT, `net` = worth − price − power,
   * signed.
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
  /** What the difficulty implies for the whole network, in EH/s. */
  hashrate_ehs: decimal,
  /** Per block, in pBTC. */
  subsidy: decimal,
  /** Mean of the last 144 blocks, in pBTC. */
  mean_fee: decimal,
  /** 1 TH/s for one day before the pool's fee. */
  per_th_day_sat: satoshi,
  epoch: z.object({
    first_height: z.int(),
    blocks_done: z.int(),
    blocks: z.int(),
    /**
     * If the blocks to come take as long as those of this epoch did; null before its first.
     * Ten-thousandths, signed.
     */
    next_change_bp: z.nullable(z.int()),
    next_at_ms: z.nullable(timeMs),
  }),
  halving: z.object({ height: z.int(), blocks_left: z.int(), subsidy_after: decimal }),
});

/**
 * Reading: its hour, height, difficulty, and what 1 TH/s brings in a day at that rate before the
 * pool's fee, in satoshi.
 */
const networkPoint = z.tuple([timeMs, z.int(), decimal, satoshi]);

export const getNetwork = defineCall({
  method: "GET",
  path: "/api/machine/getNetwork",
  summary:
    "The network as mining payouts read it: now, this difficulty epoch, and how it came here",
  access: "public",
  input: nothing,
  answer: z.extend(networkNow, {
    /** One reading a day of the last 90 days at most, oldest first. */
    history: z.array(networkPoint),
    /** Index of BTC/USDT now; null without one. */
    btc_price: z.nullable(decimal),
  }),
  errors: ["mining.not_ready"],
});

export const getProductList = defineCall({
  method: "GET",
  path: "/api/machine/getProductList",
  summary: "Machines for lease with what they cost and what they would bring at today's figures",
  access: "public",
  input: z.object({ product_id: z.optional(id) }),
  answer: z.object({
    items: z.array(machine),
    btc_price: z.nullable(decimal),
    /**
     * Counted over leases of this instance that ended: how many there are, and how many brought
     * less than they cost.
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
  /** Of all machines of the lease. */
  hashrate_ths: decimal,
  power_w: z.int(),
  coin,
  /** Of all machines for one day. */
  price_per_day: decimal,
  power_per_day: decimal,
  /** Charged at the start, for all days. */
  price: decimal,
  power: decimal,
  pool_fee_bp: z.int(),
  terms_hash: hash,
  market: z.object({ kind: marketKind, speed: z.int() }),
  /**
   * From world time: running while it is set up (one hour), at_work while it mines, maturity after
   * its last day.
   */
  status: leaseStatus,
  accepted_at_ms: timeMs,
  starts_at_ms: timeMs,
  ends_at_ms: timeMs,
  /** All that was credited, in pBTC, and its worth at the index now. */
  mined: decimal,
  mined_worth: z.nullable(decimal),
  /** Since the last whole day, up to `as_of_ms`: not credited yet. In pBTC, rounded down. */
  today_so_far: decimal,
  as_of_ms: timeMs,
  /** Per day at the present reading, after the pool's fee, in pBTC. */
  rate_per_day: decimal,
  next_payout_at_ms: z.nullable(timeMs),
  /** Price and power that came back at an early end; null when there was none. */
  refund: z.nullable(z.object({ price: decimal, power: decimal, at_ms: timeMs })),
  /**
   * What ending it now would give back; null when no whole day is unused. The day that has begun is
   * worked and paid.
   */
  end_now: z.nullable(z.object({ unused_days: z.int(), price: decimal, power: decimal })),
  /** mined_worth + refund − price − power, signed; null without an index. */
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
    /** Of the terms the person saw; refused when they have changed since. */
    terms_hash: hash,
  }),
  answer: z.object({
    lease_id: id,
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
    "mining.not_ready",
    "mining.world_ended",
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
    "Ends a lease early: 80 % of the price of unused whole days and all of their power come back",
  access: "user",
  money: true,
  input: z.object({
    lease_id: id,
    /** As `end_now` showed it; refused when a day has begun since. */
    unused_days: z.coerce.number().check(z.int()),
  }),
  answer: z.object({
    lease_id: id,
    unused_days: z.int(),
    price: decimal,
    power: decimal,
    /** When the day that has begun is over. */
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
  summary: "What is leased now and what all leases of this attempt came to",
  access: "user",
  input: nothing,
  answer: z.object({
    /** Running and at work, newest first; at most 100, `open` counts all. */
    items: z.array(lease),
    open: z.int(),
    hashrate_ths: decimal,
    /** Over all leases of the attempt: charged less refunds in pUSDT, mined in pBTC. */
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
  answer: pageOf(lease),
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
   * Before and after the pool's fee, in satoshi with four decimals, and what was credited in pBTC.
   */
  gross_sat: satoshi,
  net_sat: satoshi,
  amount: decimal,
  /** Power of that day, out of what was charged at the start, in pUSDT. */
  power: decimal,
  price: decimal,
  /** Worth of `amount` in pUSDT at the index when it was credited; null without one. */
  worth: z.nullable(decimal),
  /** Null for a day that brought less than one satoshi. */
  journal_id: z.nullable(id),
});
export type Payout = z.infer<typeof payout>;

export const getPayoutList = defineCall({
  method: "GET",
  path: "/api/machine/getPayoutList",
  summary: "Daily payouts, newest first",
  access: "user",
  input: z.object({ lease_id: z.optional(id), ...paging }),
  answer: pageOf(payout),
  errors: ["session.required", "mining.lease_unknown"],
});

export const getReceipt = defineCall({
  method: "GET",
  path: "/api/machine/getReceipt",
  summary: "The receipt of a lease, whole or one day, as docs/formats/mining.md describes it",
  access: "user",
  input: z.object({
    lease_id: id,
    /** One day only; absent: all days paid so far. */
    day: z.optional(z.coerce.number().check(z.int())),
  }),
  /** Checked by its own format, not by the wire: what the verifier reads must be what was sent. */
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
  getPayoutList,
  getReceipt,
};
