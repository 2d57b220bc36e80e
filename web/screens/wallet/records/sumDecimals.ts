import { type Coin, coinScale } from "#core/money/coins.ts";

/** Sums signed decimal strings of one coin, in minor units. */
export function sumDecimals(amounts: readonly string[], coin: Coin): bigint {
  const scale = coinScale(coin);
  return amounts.reduce((sum, text) => {
    const negative = text.startsWith("-");
    const [integerPart = "0", fraction = ""] = (negative ? text.slice(1) : text).split(".");
    const value = BigInt(integerPart + fraction.padEnd(scale, "0"));
    return negative ? sum - value : sum + value;
  }, 0n);
}
