import { useIntl } from "react-intl";
import { type Coin, coinScale, coins } from "#core/money/coins.ts";
import { formatDecimal } from "#core/money/decimal.ts";
import { useText } from "#i18n/useText.ts";
import { cx } from "#ui/cx.ts";
import { splitNumber } from "#ui/figures/numbers.ts";
import { shortCostText, shortWorthText } from "#ui/figures/shortAmount.ts";

export interface AmountProps {
  /** Minor units, or the decimal string of the wire. */
  value: bigint | string;
  coin: Coin;
  /** Always shows + or −; for changes of a balance. */
  signed?: boolean;
  /** Colours a signed amount as rise or fall; the sign is shown either way. */
  toned?: boolean;
  /** Hides the coin code visually; screen readers still read it. */
  bare?: boolean;
  /**
   * Fraction digits of this column: shorter fractions are padded with invisible digits so that the
   * decimal points align.
   */
  alignDigits?: number;
  /**
   * Shortens the amount to a few digits, never in our favour: a worth is rounded down, a cost up.
   * Every digit is in the tooltip.
   */
  short?: "worth" | "cost";
  className?: string;
}

const figureSpace = "\u2007";
const shortTexts = { worth: shortWorthText, cost: shortCostText } as const;

/**
 * An amount of a practice coin. Emphasised from the first significant digit to the decimal
 * separator, or to the end if the amount is below one; other digits are quieter, the coin code
 * quieter still. Every digit is shown unless it is `short`.
 */
export function Amount(props: AmountProps) {
  const { value, coin, signed, toned, bare, alignDigits, short, className } = props;
  const { locale } = useIntl();
  const t = useText();
  const full = typeof value === "bigint" ? formatDecimal(value, coinScale(coin)) : value;
  const text = short ? shortTexts[short](full, coin) : full;
  const { negative, whole, fraction, decimal } = splitNumber(text, locale, 2);
  const zero = /^[-+]?[0.]*$/.test(text);
  const sign = negative ? "−" : signed && !zero ? "+" : "";
  const tone = toned && !zero ? (negative ? "text-fall" : "text-rise") : "";
  const pad = alignDigits ? figureSpace.repeat(Math.max(0, alignDigits - fraction.length)) : "";
  // Emphasis starts at the first significant digit: in 0.0081 at the 8.
  const zeros = fraction.search(/[1-9]/);
  const quietFirst = whole === "0" && zeros >= 0;
  const quietClass = tone ? "font-normal" : "font-normal text-ink-soft";
  return (
    <span
      className={cx("whitespace-nowrap", tone, className)}
      title={text === full ? undefined : `${full.replace("-", "−")} ${coin}`}
    >
      <span className="sr-only">
        {t("ui.amount.spoken", {
          amount: `${sign}${whole}${decimal}${fraction}`,
          coin: coins[coin].standsFor,
        })}
      </span>
      <span aria-hidden="true">
        {sign}
        {quietFirst ? null : whole}
        <span className={quietClass}>
          {quietFirst ? whole : null}
          {decimal}
          {quietFirst ? fraction.slice(0, zeros) : fraction}
        </span>
        {quietFirst ? fraction.slice(zeros) : null}
        {pad}
        {bare ? null : (
          <span className="ml-[0.35em] text-[max(0.6em,0.75rem)] font-normal text-ink-faint">
            {coin}
          </span>
        )}
      </span>
    </span>
  );
}
