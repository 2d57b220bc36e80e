import type * as z from "zod/mini";
import type * as api from "#api/contracts.ts";
import { computeAverageCost, computeBreakEvenBp } from "#core/contracts/breakEven.ts";
import type { LossLimit } from "#core/contracts/limits.ts";
import { countOrdersLeft } from "#core/contracts/ordersLeft.ts";
import { computeMoveHundredthsBp } from "#core/contracts/settle.ts";
import { getWindowBounds, getWindowSeconds } from "#core/contracts/settlementWindow.ts";
import type { Tier } from "#core/contracts/terms.ts";
import { toWireTier } from "#core/contracts/wireTier.ts";
import { volumeScale } from "#core/market/kline.ts";
import { isSymbol, symbols } from "#core/market/symbols.ts";
import { formatPusdt } from "#core/money/amount.ts";
import { formatDecimal } from "#core/money/decimal.ts";
import type { SelfLimits } from "#server/contracts/orders/selfLimits.ts";
import type { Contract, OrderRow } from "#server/contracts/types.ts";
import type { LatestSecond } from "#server/market/market.ts";
import type { Stats24h } from "#server/market/stats.ts";
import type { World } from "#server/platform/context.ts";

/** Waiting until the settlement window opens, closing while it is collected, over once settled. */
function getStatus(
  order: Pick<OrderRow, "settled_at_ms" | "delivery_at_ms" | "window_seconds">,
  nowMs: number,
): api.Order["status"] {
  if (order.settled_at_ms !== null) return "over";
  if (order.delivery_at_ms === null) return "waiting";
  const { opensAtMs } = getWindowBounds(Number(order.delivery_at_ms), order.window_seconds);
  return opensAtMs <= nowMs ? "closing" : "waiting";
}

/** An order as the wire shows it at a world time. */
export function toOrderView(
  order: OrderRow,
  contract: Pick<Contract, "symbol">,
  world: World,
  nowMs: number,
): api.Order {
  const { scale } = symbols[contract.symbol];
  const price = (value: bigint | null) =>
    value === null ? null : formatDecimal(value, scale, true);
  const moment = (value: bigint | null) => (value === null ? null : Number(value));
  const { purchase_price: entryPrice, selling_price: settlementPrice, payout } = order;
  return {
    order_id: order.id,
    attempt_id: order.attempt_id,
    contract_id: order.contract_id,
    symbol: contract.symbol,
    price_scale: scale,
    direction: order.direction,
    tier_seconds: order.tier_seconds,
    window_seconds: order.window_seconds,
    range_bp: order.range_bp,
    rate_bp: order.rate_bp,
    fee_bp: order.fee_bp,
    coin: "pUSDT",
    stake: formatPusdt(order.stake),
    fee: formatPusdt(order.fee),
    market: world.market,
    terms_hash: order.terms_hash,
    order_hash: order.order_hash,
    status: getStatus(order, nowMs),
    accepted_at_ms: Number(order.accepted_at_ms),
    bound_leaf: moment(order.bound_leaf),
    entry_at_ms: moment(order.entry_at_ms),
    purchase_price: price(entryPrice),
    delivery_at_ms: moment(order.delivery_at_ms),
    selling_price: price(settlementPrice),
    quote_change_bp:
      entryPrice === null || settlementPrice === null
        ? null
        : formatDecimal(computeMoveHundredthsBp(entryPrice, settlementPrice), 2, true),
    outcome: order.outcome,
    void_reason: order.void_reason,
    payout: payout === null ? null : formatPusdt(payout),
    net: payout === null ? null : formatPusdt(payout - order.stake - order.fee),
    settled_at_ms: moment(order.settled_at_ms),
  };
}

/**
 * A contract with its current price; null in a gap, and when the last second is too old to be
 * "now".
 */
export function toContractView(
  { id, symbol }: Contract,
  latest: LatestSecond | null,
  stats: Stats24h,
  followed: boolean,
): api.Contract {
  const { base, quote, scale, type } = symbols[symbol];
  const price = (value: bigint | null) =>
    value === null ? null : formatDecimal(value, scale, true);
  const now = latest?.index[symbol] ?? null;
  return {
    contract_id: id,
    symbol,
    base,
    quote,
    type,
    price_scale: scale,
    price: price(now),
    price_at_ms: now === null ? null : (latest?.secondMs ?? null),
    change_24h_bp: stats.changeBp,
    high_24h: price(stats.high),
    low_24h: price(stats.low),
    volume_24h: stats.volume === null ? null : formatDecimal(stats.volume, volumeScale),
    spark: stats.spark.map((value) => formatDecimal(value, scale, true)),
    followed,
  };
}

/**
 * A tier with its cost, which must be shown before every button; `placedToday` is null without a
 * session.
 */
export function toTierView(tier: Tier, placedToday: number | null): z.infer<typeof api.tier> {
  return {
    ...toWireTier(tier),
    window_seconds: getWindowSeconds(tier.seconds),
    break_even_bp: computeBreakEvenBp(tier),
    cost_per_100: formatPusdt(computeAverageCost(100_000_000n, tier)),
    orders_left_today: placedToday === null ? null : countOrdersLeft(tier, placedToday),
  };
}

export function toSelfLimitsView({
  loss,
  exclusion,
  lostToday,
}: SelfLimits): z.infer<typeof api.selfLimits> {
  const limit = (value: LossLimit["limit"]) => (value === null ? null : formatPusdt(value));
  return {
    daily_loss_limit: limit(loss.limit),
    daily_loss_limit_next: loss.next && {
      limit: limit(loss.next.limit),
      from_ms: loss.next.fromMs,
    },
    lost_today: formatPusdt(lostToday),
    excluded_until_ms: typeof exclusion === "number" ? exclusion : null,
    excluded_for_good: exclusion === "forever",
  };
}

/** The symbol of a contract id that was ever published: a contract keeps its symbol forever. */
export function getSymbol(
  contracts: readonly Contract[],
  contractId: string,
): Pick<Contract, "symbol"> {
  const contract = contracts.find(({ id }) => id === contractId);
  if (!contract || !isSymbol(contract.symbol)) throw new Error(`no contract ${contractId}`);
  return contract;
}
