import { useIntl } from "react-intl";
import { formatDecimal } from "#core/money/decimal.ts";

/** A number of units or a NAV: an integer with eight implied fraction digits, all of them shown. */
export function ScaledNumber({ value }: { value: string }) {
  const { formatNumber } = useIntl();
  const text = formatDecimal(BigInt(value), 8, true);
  // Formatted as text: a number of units may have more digits than a float holds.
  return (
    <span className="tabular-nums">
      {formatNumber(text as unknown as number, {
        minimumFractionDigits: 8,
        maximumFractionDigits: 8,
      })}
    </span>
  );
}
