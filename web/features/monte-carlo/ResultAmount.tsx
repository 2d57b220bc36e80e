import { type Coin, coinScale } from "#core/money/coins.ts";
import { formatDecimal } from "#core/money/decimal.ts";
import { Amount } from "#ui/figures/Amount.tsx";
import { shortWorthText } from "#ui/figures/shortAmount.ts";

interface ResultAmountProps {
  value: bigint;
  coin: Coin;
  /** Leaves out the coin's code, for a column of amounts. */
  bare?: boolean;
}

/** A short result with its sign; rounding never makes a loss look smaller. */
export function ResultAmount({ value, coin, bare = true }: ResultAmountProps) {
  const text = shortWorthText(formatDecimal(value, coinScale(coin)), coin);
  return <Amount value={text} coin={coin} signed toned bare={bare} />;
}
