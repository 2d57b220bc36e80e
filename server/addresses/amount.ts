import { exchangeMax } from "#core/exchange/exchange.ts";
import { type Coin, scaleOf } from "#core/money/coins.ts";
import { parseDecimal } from "#core/money/decimal.ts";
import { Refusal } from "#server/platform/apiError.ts";

/** Minor units of the wire's decimal string, zero included, or the Refusal that names what is wrong with it. */
export function readAmount(coin: Coin, text: string): bigint {
  const digits = scaleOf(coin);
  const read = parseDecimal(text, digits);
  if (read.ok) return read.value;
  if (read.error === "excess_digits") throw new Refusal("money.excess_digits", { digits });
  throw new Refusal(
    read.error === "too_large" ? "money.amount_too_large" : "money.amount_malformed",
  );
}

/** An amount above zero that one posting can move, in minor units, or the Refusal that names what is wrong with it. */
export function requireAmount(coin: Coin, text: string): bigint {
  const amount = readAmount(coin, text);
  if (amount === 0n) throw new Refusal("money.amount_malformed");
  if (amount > exchangeMax) throw new Refusal("money.amount_too_large");
  return amount;
}
