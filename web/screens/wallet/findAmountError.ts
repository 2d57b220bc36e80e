import { type Coin, coinScale } from "#core/money/coins.ts";
import { parseDecimal } from "#core/money/decimal.ts";
import { settleAmountText } from "#ui/form/amountText.ts";

/**
 * The error of a typed amount that would leave the wallet; null if there is none, as long as the
 * available amount is unknown too.
 */
export function findAmountError(
  typedAmount: string,
  coin: Coin,
  available: string | null,
): "empty" | "tooMuch" | null {
  const scale = coinScale(coin);
  const result = parseDecimal(settleAmountText(typedAmount), scale);
  if (!result.ok || result.value === 0n) return "empty";
  const limit = available === null ? null : parseDecimal(available, scale);
  return limit?.ok && result.value > limit.value ? "tooMuch" : null;
}
