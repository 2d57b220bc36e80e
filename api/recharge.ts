import * as z from "zod/mini";
import { defineCall } from "#api/call.ts";
import { coin, decimal, id, nothing, pageSchema, paging, timeMs } from "#api/shapes.ts";
import { pictureBytesMax, pictureTypes, rejectionReasons } from "#core/recharge/recharge.ts";
import { voucherKinds } from "#core/recharge/voucher.ts";

/** Name of a practice network (core/wallet/networks.ts); none of them is a chain. */
const network = z.string().check(z.maxLength(16));
const kind = z.enum(voucherKinds);

const voucher = z.object({
  voucher_id: id,
  kind,
  coin,
  /** As printed. */
  network,
  /** As printed; on an altered voucher it differs from the signed amount. */
  amount: decimal,
  /** The amount that the issuer signed. */
  signed_amount: decimal,
  /** World time. */
  expires_at_ms: timeMs,
  /** World time of its credit, or of the use marked on it when drawn; null if unused. */
  used_at_ms: z.nullable(timeMs),
  drawn_at_ms: timeMs,
  world: z.string(),
  /** Content of its QR code. */
  qr_text: z.string(),
});
export type Voucher = z.infer<typeof voucher>;

export const drawVoucher = defineCall({
  method: "POST",
  path: "/api/user/drawVoucher",
  summary:
    "Draws a specimen voucher of a kind: practice paper, worth nothing, at most 100 per real day",
  access: "user",
  input: z.object({ coin, network, amount: decimal, kind }),
  answer: voucher,
  errors: [
    "session.required",
    "recharge.network_wrong",
    "recharge.amount_not_drawn",
    "recharge.too_many",
  ],
});

export const getVoucherList = defineCall({
  method: "GET",
  path: "/api/user/getVoucherList",
  summary: "The specimen vouchers drawn by the user, newest first",
  access: "user",
  input: z.object({ coin: z.optional(coin), ...paging }),
  answer: pageSchema(voucher),
  errors: ["session.required"],
});

const rechargeRules = z.object({
  /** In pUSDT; the day is a real UTC day. */
  day_cap: decimal,
  day_used: decimal,
  day_left: decimal,
  day_ends_at_ms: timeMs,
  /** World time from sending until the review begins, and until it is decided. */
  closing_after_ms: z.int(),
  over_after_ms: z.int(),
  picture: z.object({
    types: z.array(z.string()),
    bytes_max: z.int(),
    pixels_max: z.int(),
  }),
  coins: z.array(
    z.object({
      coin,
      networks: z.array(network),
      amounts: z.array(
        z.object({
          amount: decimal,
          /** In pUSDT at the index; null without one. */
          worth: z.nullable(decimal),
        }),
      ),
    }),
  ),
});
export type RechargeRules = z.infer<typeof rechargeRules>;

export const getRechargeRules = defineCall({
  method: "GET",
  path: "/api/user/getRechargeRules",
  summary: "What can be recharged, which pictures are accepted, and what remains of today's limit",
  access: "user",
  input: nothing,
  answer: rechargeRules,
  errors: ["session.required"],
});

const rechargeState = z.object({
  recharge_id: id,
  attempt_id: id,
  coin,
  network,
  amount: decimal,
  /** The fields shown in the picture. */
  voucher: z.object({
    voucher_id: id,
    coin,
    network,
    amount: decimal,
    expires_at_ms: timeMs,
    /** Disclosed once it is over. */
    kind: z.nullable(kind),
    used_at_ms: z.nullable(timeMs),
    signed_amount: z.nullable(decimal),
  }),
  image: z.object({ width: z.int(), height: z.int() }),
  /** Derived from world time: waiting, closing while under review, over once decided. */
  status: z.enum(["waiting", "closing", "over"]),
  accepted_at_ms: timeMs,
  closing_at_ms: timeMs,
  due_at_ms: timeMs,
  /** `cancelled`: the person started over before it was decided. */
  outcome: z.nullable(z.enum(["credited", "refused", "cancelled"])),
  reason: z.nullable(z.enum(rejectionReasons)),
  /** The posting that credited it. */
  journal_id: z.nullable(id),
  over_at_ms: z.nullable(timeMs),
});
export type RechargeState = z.infer<typeof rechargeState>;

export const recharge = defineCall({
  method: "POST",
  path: "/api/user/recharge",
  summary:
    "Submits a specimen voucher's picture for review. Any other picture is refused before it is stored",
  access: "user",
  money: true,
  upload: { field: "image", types: pictureTypes, maxBytes: pictureBytesMax },
  input: z.object({
    coin: z._default(z.string().check(z.maxLength(16)), ""),
    network: z._default(z.string().check(z.maxLength(16)), ""),
    amount: z._default(decimal, ""),
    /** The picture; represented in the body hash by its SHA-256. */
    image: z.optional(z.unknown()),
  }),
  answer: rechargeState,
  errors: [
    "session.required",
    "money.coin_unknown",
    "money.amount_malformed",
    "money.excess_digits",
    "money.amount_too_large",
    "recharge.network_wrong",
    "recharge.amount_missing",
    "recharge.picture_missing",
    "recharge.picture_too_large",
    "recharge.picture_type",
    "recharge.picture_unreadable",
    "recharge.not_a_specimen",
    "recharge.no_price",
    "recharge.too_many",
    "idempotency.key_missing",
    "idempotency.key_malformed",
    "idempotency.body_changed",
  ],
});

export const getRechargeList = defineCall({
  method: "GET",
  path: "/api/user/getRechargeList",
  summary: "The user's recharges of one attempt, newest first; the current attempt by default",
  access: "user",
  input: z.object({ coin: z.optional(coin), attempt_id: z.optional(id), ...paging }),
  answer: pageSchema(rechargeState),
  errors: ["session.required"],
});

export const findRecharge = defineCall({
  method: "GET",
  path: "/api/user/findRecharge",
  summary: "One recharge of the user",
  access: "user",
  input: z.object({ recharge_id: id }),
  answer: rechargeState,
  errors: ["session.required", "recharge.unknown"],
});

export const getRechargeImage = defineCall({
  method: "GET",
  path: "/api/user/getRechargeImage",
  summary:
    "The picture of a recharge as stored: re-encoded, without metadata; only its owner may read it",
  access: "user",
  file: ["image/webp"],
  input: z.object({ recharge_id: id }),
  answer: nothing,
  errors: ["session.required", "recharge.unknown"],
});

export const calls = {
  drawVoucher,
  getVoucherList,
  getRechargeRules,
  recharge,
  getRechargeList,
  findRecharge,
  getRechargeImage,
};
