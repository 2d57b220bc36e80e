import { useIntl } from "react-intl";
import { cx } from "#ui/cx.ts";
import { formatNumber } from "#ui/figures/numbers.ts";

export interface BacktestAmountProps {
  /** Decimal string, as on the wire. */
  value: string;
  /** A practice coin's code, or USD; empty where it is given above. */
  unit: string;
  signed?: boolean;
  className?: string;
}

/**
 * An amount of a test, in its pool's unit. The sign carries the meaning; the colour only repeats
 * it.
 */
export function BacktestAmount({ value, unit, signed, className }: BacktestAmountProps) {
  const { locale } = useIntl();
  const isZero = /^-?[0.]*$/.test(value);
  const isLoss = value.startsWith("-") && !isZero;
  const tone = signed && !isZero ? (isLoss ? "text-fall" : "text-rise") : "";
  const shownAmount = isZero ? value.replace("-", "") : value;
  return (
    <span className={cx("whitespace-nowrap", tone, className)}>
      {signed && !isZero && !isLoss ? "+" : ""}
      {formatNumber(shownAmount, locale)}
      {unit ? (
        <span className="ml-[0.35em] text-caption font-normal text-ink-faint">{unit}</span>
      ) : null}
    </span>
  );
}
