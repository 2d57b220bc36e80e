import type { Coin } from "#core/money/coins.ts";
import type { VoucherClaims } from "#core/recharge/voucher.ts";
import type { Network } from "#core/wallet/networks.ts";

/**
 * The review of a recharge (docs/rules/wallet.md, "Recharge"). Amounts in minor units; `worth` and
 * the day's in pUSDT.
 */

/**
 * Why a recharge was refused, in the order in which the review looks: the first that fits is the
 * reason.
 */
export const refusalReasons = [
  "altered",
  "already_used",
  "expired",
  "coin_differs",
  "wrong_network",
  "amount_differs",
  "over_daily_limit",
] as const;
export type RefusalReason = (typeof refusalReasons)[number];

/** Most that is credited to a person in a real (UTC) day: 10 000 pUSDT worth. */
export const rechargeDayCap = 10_000_000_000n;

/** World time from sending until the review begins, and until it is decided. */
export const closingAfterMs = 3_000;
export const dueAfterMs = 8_000;

/** What a picture may be: checked by content, never by name. */
export const pictureTypes = ["image/jpeg", "image/png", "image/webp"] as const;
export const pictureBytesMax = 6 * 1024 * 1024;
/** Width times height; looked at before anything is decoded. */
export const picturePixelsMax = 24_000_000;
/** The same of a picture that can only be decoded whole: progressive, interlaced, WebP. */
export const heldPixelsMax = 8_000_000;

/** What the person typed. */
export interface RechargeForm {
  coin: Coin;
  network: Network;
  amount: bigint;
}

export interface RechargeCase {
  form: RechargeForm;
  /** As read from the picture, and whether the issuer's signature covers it. */
  voucher: { claims: VoucherClaims; macHolds: boolean };
  /**
   * World time at which this voucher was credited, or marked as used when it was drawn; null:
   * never.
   */
  usedAtMs: number | null;
  /** World time at which the person sent it: a review that takes longer makes no voucher expire. */
  sentAtMs: number;
  /** Worth of the amount at the index, rounded down. */
  worth: bigint;
  /** Worth credited to this person in this real day so far. */
  dayUsed: bigint;
}

export type RechargeDecision = { ok: true } | { ok: false; reason: RefusalReason };

/** Decides a recharge. Nothing but these inputs counts, and nobody is asked. */
export function decideRecharge(given: RechargeCase): RechargeDecision {
  const { form, voucher, usedAtMs, sentAtMs, worth, dayUsed } = given;
  const { claims, macHolds } = voucher;
  const found: Record<RefusalReason, boolean> = {
    altered: !macHolds,
    already_used: usedAtMs !== null,
    expired: claims.expiresAtMs <= sentAtMs,
    coin_differs: claims.coin !== form.coin,
    wrong_network: claims.network !== form.network,
    amount_differs: claims.amount !== form.amount,
    over_daily_limit: dayUsed + worth > rechargeDayCap,
  };
  const reason = refusalReasons.find((name) => found[name]);
  return reason ? { ok: false, reason } : { ok: true };
}

export type RechargeStatus = "waiting" | "closing" | "over";

/** Where a recharge stands in world time. `over` only once it is decided, however late that is. */
export function rechargeStatus(
  recharge: { closingAtMs: number; isDecided: boolean },
  nowMs: number,
): RechargeStatus {
  if (recharge.isDecided) return "over";
  return nowMs >= recharge.closingAtMs ? "closing" : "waiting";
}
