import { type Coin, coinScale } from "#core/money/coins.ts";
import { formatDecimal } from "#core/money/decimal.ts";

/** Formats minor units as on the wire: a decimal of the coin without trailing zeros. */
export function formatAmount(amount: bigint, coin: Coin): string {
  return formatDecimal(amount, coinScale(coin));
}

/** Like `formatAmount`, for the coin contracts, hosting and mining are paid in. */
export function formatPusdt(amount: bigint): string {
  return formatAmount(amount, "pUSDT");
}

/** The smaller of two amounts. */
export function min(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}
