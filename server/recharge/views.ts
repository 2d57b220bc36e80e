import type { RechargeRules, RechargeState, Voucher } from "#api/recharge.ts";
import { formatAmount } from "#core/money/amount.ts";
import { type Coin, coinCodes, coinScale } from "#core/money/coins.ts";
import { parseDecimal } from "#core/money/decimal.ts";
import { nextDayMs, toRealDay } from "#core/money/time.ts";
import {
  dueAfterMs,
  getRechargeStatus,
  pictureBytesMax,
  picturePixelsMax,
  pictureTypes,
  rechargeDayCap,
  reviewAfterMs,
} from "#core/recharge/recharge.ts";
import { formatVoucherText, type VoucherClaims, voucherAmounts } from "#core/recharge/voucher.ts";
import { listNetworks } from "#core/wallet/networks.ts";
import { computeWorth, displayCurrency, valuedBy } from "#core/wallet/valuation.ts";
import { readLimitUsed } from "#server/ledger/limits.ts";
import type { Ledger } from "#server/ledger/types.ts";
import type { Market } from "#server/market/market.ts";
import type { AppContext } from "#server/platform/context.ts";
import { dayKey } from "#server/recharge/review.ts";
import type { RechargeWithVoucher, VoucherRow } from "#server/recharge/store.ts";

const toMs = (ms: bigint | null) => (ms === null ? null : Number(ms));

export function toVoucherView(
  row: VoucherRow,
  { claims, mac }: { claims: VoucherClaims; mac: string },
): Voucher {
  return {
    voucher_id: row.id,
    kind: row.kind,
    coin: row.coin,
    network: row.network,
    amount: formatAmount(row.shown_amount, row.coin),
    signed_amount: formatAmount(row.amount, row.coin),
    expires_at_ms: Number(row.expires_at_ms),
    used_at_ms: toMs(row.used_at_ms),
    drawn_at_ms: Number(row.drawn_at_ms),
    world: claims.world,
    qr_text: formatVoucherText(claims, mac),
  };
}

/**
 * The issuer's knowledge of the voucher is revealed once the recharge is decided: the lesson is to
 * look first.
 */
export function toRechargeView(row: RechargeWithVoucher, nowMs: number): RechargeState {
  const isDecided = row.outcome !== null;
  return {
    recharge_id: row.id,
    attempt_id: row.attempt_id,
    coin: row.coin,
    network: row.network,
    amount: formatAmount(row.amount, row.coin),
    voucher: {
      voucher_id: row.voucher_id,
      coin: row.read_coin,
      network: row.read_network,
      amount: formatAmount(row.read_amount, row.read_coin),
      expires_at_ms: Number(row.read_expires_at_ms),
      kind: isDecided ? row.voucher_kind : null,
      used_at_ms: isDecided ? toMs(row.voucher_used_at_ms) : null,
      signed_amount: isDecided ? formatAmount(row.voucher_amount, row.voucher_coin) : null,
    },
    image: { width: row.image_width, height: row.image_height },
    status: getRechargeStatus({ closingAtMs: Number(row.closing_at_ms), isDecided }, nowMs),
    accepted_at_ms: Number(row.accepted_at_ms),
    closing_at_ms: Number(row.closing_at_ms),
    due_at_ms: Number(row.due_at_ms),
    outcome: row.outcome,
    reason: row.reason,
    journal_id: row.journal_id,
    over_at_ms: toMs(row.over_at_ms),
  };
}

export async function readRules(
  { database, realClock }: Pick<AppContext, "database" | "realClock">,
  { market, ledger }: { market: Pick<Market, "latest">; ledger: Pick<Ledger, "quotaId"> },
  userId: string,
): Promise<RechargeRules> {
  const nowMs = realClock.nowMs();
  const key = dayKey(await ledger.quotaId(userId), toRealDay(nowMs));
  const used = await readLimitUsed(database.db, key);
  const capLeft = rechargeDayCap - used;
  const index = market.latest()?.index;
  const worth = (coin: Coin, amount: string) => {
    const symbol = valuedBy[coin];
    const result = parseDecimal(amount, coinScale(coin));
    if (!result.ok) return null;
    const value = computeWorth(
      coin,
      result.value,
      symbol === null ? null : (index?.[symbol] ?? null),
    );
    return value === null ? null : formatAmount(value, displayCurrency);
  };
  return {
    day_cap: formatAmount(rechargeDayCap, displayCurrency),
    day_used: formatAmount(used, displayCurrency),
    day_left: formatAmount(capLeft, displayCurrency),
    day_ends_at_ms: nextDayMs(nowMs),
    closing_after_ms: reviewAfterMs,
    over_after_ms: dueAfterMs,
    picture: {
      types: [...pictureTypes],
      bytes_max: pictureBytesMax,
      pixels_max: picturePixelsMax,
    },
    coins: coinCodes.map((coin) => ({
      coin,
      networks: [...listNetworks(coin)],
      amounts: voucherAmounts[coin].map((amount) => ({ amount, worth: worth(coin, amount) })),
    })),
  };
}
