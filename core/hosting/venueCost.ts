import { getSymbolAssets } from "#core/hosting/assets.ts";
import type { Fill } from "#core/hosting/types.ts";
import { worthUnit } from "#core/hosting/value.ts";
import { feeUnit } from "#core/market/atVenue.ts";
import { divideUp } from "#core/money/rounding.ts";

/**
 * The cost of a live world's fill at the venue itself, in minor units of home by the index at the
 * decision. Spread and delay are the two parts of the fill's slippage, which already comes from the
 * venue's book; only the fee differs.
 */
export interface VenueCost {
  /** The venue's taker fee in hundredths of a basis point, and the resulting amount. */
  takerFee: number;
  fees: bigint;
  /** Half the spread of the book it met, and its depth. */
  spread: bigint;
  /** How far the venue's mid moved between the decision and that book. */
  delay: bigint;
}

/** Null for a fill that met no book or got nothing. Source: docs/rules/hosting.md, "Fills". */
export function computeVenueCost(
  { order, quantity, quote, pnl, book }: Fill,
  takerFee: number,
): VenueCost | null {
  const [bid, ask] = [book?.bids[0]?.price, book?.asks[0]?.price];
  if (quantity === 0n || bid === undefined || ask === undefined) return null;
  const { divisor, quoteUnit } = getSymbolAssets(order.symbol);
  const sign = order.side === "buy" ? 1n : -1n;
  const atMid = (sign * quantity * (bid + ask) * quoteUnit * order.quoteWorth) / (2n * divisor);
  const spread = (sign * quote * order.quoteWorth - atMid) / worthUnit;
  const fee = divideUp(quote * BigInt(takerFee), feeUnit);
  return {
    takerFee,
    fees: divideUp(fee * order.quoteWorth, worthUnit),
    spread,
    delay: pnl.slippage - spread,
  };
}
