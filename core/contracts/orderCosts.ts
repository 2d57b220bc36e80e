import { decideOutcome, type OrderTerms, settle } from "#core/contracts/settle.ts";
import type { FillCosts } from "#core/market/fillCosts.ts";

/** The index at the moments that determine an order's result, at the symbol's scale. */
export interface OrderPrices {
  /** Last closed second when the order was accepted; null in a gap. */
  accepted: bigint | null;
  entry: bigint;
  /** Last second of the window that has a value. */
  last: bigint;
  settlement: bigint;
}

export interface OrderCosts {
  prices: OrderPrices;
  /** The result of a fair bet at the mid price: even odds, no fee, no waiting. */
  fair: bigint;
  costs: FillCosts;
  /** The actual result: `fair` less all costs. */
  net: bigint;
}

/**
 * Splits a decided order's result into a fair bet and its costs, in minor units of its stake. The
 * benchmark is a fair bet of the same stake and direction, from the index that was known at
 * acceptance to the last one of the window, which pays as much as it takes. Each step changes one
 * thing: first the entry price (delay), then the average over the window (slippage), then the
 * payout (spread), then the fee. Without an index at acceptance no delay is reported.
 */
export function computeOrderCosts(order: OrderTerms, prices: OrderPrices): OrderCosts {
  const { accepted, entry, last, settlement } = prices;
  const fair = fairNet(order, accepted ?? entry, last);
  const netAtEntry = fairNet(order, entry, last);
  const averaged = fairNet(order, entry, settlement);
  const { payout, net } = settle(order, entry, settlement);
  const costs = {
    delay: fair - netAtEntry,
    slippage: netAtEntry - averaged,
    spread: averaged - (payout - order.stake),
    fee: order.fee,
  };
  return { prices, fair, costs, net };
}

function fairNet(order: OrderTerms, from: bigint, to: bigint): bigint {
  const outcome = decideOutcome(order, from, to);
  return outcome === "tie" ? 0n : outcome === "won" ? order.stake : -order.stake;
}
