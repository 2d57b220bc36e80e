import { type Coin, coinScale } from "#core/money/coins.ts";
import { formatDecimal } from "#core/money/decimal.ts";
import { Amount } from "#ui/figures/Amount.tsx";
import { shortWorthText } from "#ui/figures/shortAmount.ts";

interface ResultAmountProps {
  value: bigint;
  coin: Coin;
  /** Without the coin's code, for a column of amounts. */
  bare?: boolean;
}

/** A result with its sign, at a glance: a loss never looks smaller than it is. */
export function ResultAmount({ value, coin, bare = true }: ResultAmountProps) {
  const text = shortWorthText(formatDecimal(value, coinScale(coin)), coin);
  return <Amount value={text} coin={coin} signed toned bare={bare} />;
}
