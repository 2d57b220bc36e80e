import type { Coin } from "#core/money/coins.ts";
import type { Quantiles } from "#core/monte-carlo/quantiles.ts";
import { useText } from "#i18n/useText.ts";
import { ResultAmount } from "./ResultAmount.tsx";

const names = ["best", "high", "median", "low", "worst"] as const satisfies (keyof Quantiles)[];

/** Rows of a table with a column for each spread, best first. */
export function useQuantileRows(coin: Coin) {
  const t = useText();
  return (spreads: readonly Quantiles[]) =>
    names.map((name) => ({
      name: t(`monte-carlo.${name}`),
      values: spreads.map((spread, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: columns never move
        <ResultAmount key={index} value={spread[name]} coin={coin} />
      )),
    }));
}
