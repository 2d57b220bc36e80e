import type { Coin } from "#core/money/coins.ts";
import type { Spread } from "#core/monte-carlo/spread.ts";
import { useText } from "#i18n/useText.ts";
import { ResultAmount } from "./ResultAmount.tsx";

const names = ["best", "high", "median", "low", "worst"] as const satisfies (keyof Spread)[];

/** Rows of a table with a column for each spread, best first. */
export function useSpreadRows(coin: Coin) {
  const t = useText();
  return (spreads: readonly Spread[]) =>
    names.map((name) => ({
      name: t(`monte_carlo.${name}`),
      values: spreads.map((spread, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: columns never move
        <ResultAmount key={at} value={spread[name]} coin={coin} />
      )),
    }));
}
