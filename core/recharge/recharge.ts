import type { Coin } from "#core/money/coins.ts";
import type { VoucherClaims } from "#core/recharge/voucher.ts";
import type { Network } from "#core/wallet/networks.ts";

/**
 * The review of a recharge (docs/rules/wallet.md, "Recharge"). Amounts in minor units; `worth` and
 * the daily total in pUSDT.
 */

/** Why a recharge was refused, in order of checking: the first that applies is the reason. */
export const rejectionReasons = [
  "altered",
  "already_used",
  "expired",
  "coin_differs",
  "wrong_network",
  "amount_differs",
  "over_daily_limit",
] as const;
export type RejectionReason = (typeof rejectionReasons)[number];

/** The most credited to a person per real (UTC) day: 10 000 pUSDT worth. */
export const rechargeDayCap = 10_000_000_000n;

/** World time from submission until the review begins, and until it is decided. */
export const reviewAfterMs = 3_000;
export const dueAfterMs = 8_000;

/** Accepted picture types, checked by content, never by name. */
export const pictureTypes = ["image/jpeg", "image/png", "image/webp"] as const;
export const pictureBytesMax = 6 * 1024 * 1024;
/** Width times height; checked before anything is decoded. */
export const picturePixelsMax = 24_000_000;
/** The same for pictures that must be decoded whole: progressive, interlaced, WebP. */
export const heldPixelsMax = 8_000_000;

/** The person's input. */
export interface RechargeForm {
  coin: Coin;
  network: Network;
  amount: bigint;
}

export interface RechargeCase {
  form: RechargeForm;
  /** As read from the picture; `macValid` is whether the issuer's MAC matches. */
  voucher: { claims: VoucherClaims; macValid: boolean };
  /** World time at which this voucher was credited, or marked as used when drawn; null if never. */
  usedAtMs: number | null;
  /** World time at which the person submitted it: a slow review does not make a voucher expire. */
  sentAtMs: number;
  /** Worth of the amount at the index, rounded down. */
  worth: bigint;
  /** Worth credited to this person so far in this real day. */
  dayUsed: bigint;
}

export type RechargeDecision = { ok: true } | { ok: false; reason: RejectionReason };

/** Decides a recharge. Nothing but these inputs counts, and no human is involved. */
export function decideRecharge(params: RechargeCase): RechargeDecision {
  const { form, voucher, usedAtMs, sentAtMs, worth, dayUsed } = params;
  const { claims, macValid } = voucher;
  const findings: Record<RejectionReason, boolean> = {
    altered: !macValid,
    already_used: usedAtMs !== null,
    expired: claims.expiresAtMs <= sentAtMs,
    coin_differs: claims.coin !== form.coin,
    wrong_network: claims.network !== form.network,
    amount_differs: claims.amount !== form.amount,
    over_daily_limit: dayUsed + worth > rechargeDayCap,
  };
  const reason = rejectionReasons.find((name) => findings[name]);
  return reason ? { ok: false, reason } : { ok: true };
}

export type RechargeStatus = "waiting" | "closing" | "over";

/** A recharge's status in world time. `over` only once decided, however late that is. */
export function getRechargeStatus(
  recharge: { closingAtMs: number; isDecided: boolean },
  nowMs: number,
): RechargeStatus {
  if (recharge.isDecided) return "over";
  return nowMs >= recharge.closingAtMs ? "closing" : "waiting";
}
