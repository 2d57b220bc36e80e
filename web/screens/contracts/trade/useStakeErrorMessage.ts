import { useIntl } from "react-intl";
import { type StakeQuote, stakeCoin } from "#core/contracts/stake.ts";
import { coinScale } from "#core/money/coins.ts";
import { formatDecimal } from "#core/money/decimal.ts";
import { useText } from "#i18n/useText.ts";
import { formatNumber } from "#ui/figures/numbers.ts";
import type { StakeInputError, Tier } from "./stake.ts";

/** Says what is wrong with a stake and what would be accepted. */
export function useStakeErrorMessage() {
  const { locale } = useIntl();
  const t = useText();
  const digits = coinScale(stakeCoin);
  const money = (text: string) => `${formatNumber(text, locale, 2)} ${stakeCoin}`;
  return (
    problem: StakeInputError,
    tier: Tier,
    quote: StakeQuote,
    available: string | null,
  ): string =>
    t(`contracts.stake.${problem}`, {
      digits,
      min: money(tier.stake_min),
      max: money(tier.stake_max),
      charged: money(formatDecimal(quote.charged, digits)),
      available: money(available ?? "0"),
    });
}
