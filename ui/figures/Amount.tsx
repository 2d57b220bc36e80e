import { useIntl } from "react-intl";
import { type Coin, coins, scaleOf } from "#core/money/coins.ts";
import { formatDecimal } from "#core/money/decimal.ts";
import { useText } from "#i18n/useText.ts";
import { cx } from "#ui/cx.ts";
import { splitNumber } from "#ui/figures/numbers.ts";

export interface AmountProps {
  /** Minor units, or the wire's decimal string. */
  value: bigint | string;
  coin: Coin;
  /** Always writes + or −, for what was added or taken. */
  signed?: boolean;
  /** Colours a signed amount as rise or fall; the sign stands in any case. */
  toned?: boolean;
  /** Without the coin code to the eye; assistive technology hears it still. */
  bare?: boolean;
  /**
   * Digits after the point in this column: shorter fractions are padded with blank digits, so that
   * points align.
   */
  alignDigits?: number;
  className?: string;
}

const figureSpace = "\u2007";

/**
 * An amount of a practice coin: whole digits strong, minor ones quieter, the code quieter still. No
 * digit is hidden.
 */
export function Amount({ value, coin, signed, toned, bare, alignDigits, className }: AmountProps) {
  const { locale } = useIntl();
  const t = useText();
  const text = typeof value === "bigint" ? formatDecimal(value, scaleOf(coin)) : value;
  const { negative, whole, fraction, decimal } = splitNumber(text, locale, 2);
  const zero = /^[-+]?[0.]*$/.test(text);
  const sign = negative ? "−" : signed && !zero ? "+" : "";
  const tone = toned && !zero ? (negative ? "text-fall" : "text-rise") : "";
  const pad = alignDigits ? figureSpace.repeat(Math.max(0, alignDigits - fraction.length)) : "";
  return (
    <span className={cx("whitespace-nowrap", tone, className)}>
      <span className="sr-only">
        {t("ui.amount.spoken", {
          amount: `${sign}${whole}${decimal}${fraction}`,
          coin: coins[coin].standsFor,
        })}
      </span>
      <span aria-hidden="true">
        {sign}
        {whole}
        <span className={tone ? "font-normal" : "font-normal text-ink-soft"}>
          {decimal}
          {fraction}
        </span>
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
