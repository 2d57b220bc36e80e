import { exchangeMax } from "#core/exchange/exchange.ts";
import { type Coin, coinScale } from "#core/money/coins.ts";
import { requireDecimal } from "#server/platform/amount.ts";
import { ApiError } from "#server/platform/apiError.ts";

/**
 * Parses the wire's decimal string into minor units, zero included; throws the ApiError that names
 * the fault.
 */
export function parseAmount(coin: Coin, text: string): bigint {
  return requireDecimal(text, coinScale(coin));
}

/**
 * Parses an amount above zero that one posting can move, in minor units; throws the ApiError that
 * names the fault.
 */
export function requireAmount(coin: Coin, text: string): bigint {
  const amount = parseAmount(coin, text);
  if (amount === 0n) throw new ApiError("money.amount_malformed");
  if (amount > exchangeMax) throw new ApiError("money.amount_too_large");
  return amount;
}
