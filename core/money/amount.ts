import { type Coin, scaleOf } from "#core/money/coins.ts";
import { formatDecimal } from "#core/money/decimal.ts";

/**
 * An amount in minor units as the wire writes it: a decimal of the coin, trailing zeros left out.
 */
export function formatAmount(amount: bigint, coin: Coin): string {
  return formatDecimal(amount, scaleOf(coin));
}

/** As `formatAmount`, in the coin that contracts, hosting and mining are paid in. */
export function pusdt(amount: bigint): string {
  return formatAmount(amount, "pUSDT");
}
