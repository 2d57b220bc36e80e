import { coinScale } from "#core/money/coins.ts";
import { formatDecimal, truncateDecimal } from "#core/money/decimal.ts";
import { Amount, type AmountProps } from "#ui/figures/Amount.tsx";
import { useCounting } from "#ui/figures/useCounting.ts";

export interface CountingAmountProps extends AmountProps {
  /** Counts up or down from zero when it first appears; otherwise only when it changes. */
  fromZero?: boolean;
}

/** An `Amount` that counts to its new value. Screen readers get that value immediately. */
export function CountingAmount({ fromZero = false, ...props }: CountingAmountProps) {
  const { value, coin } = props;
  const target = typeof value === "bigint" ? value : truncateDecimal(value, coinScale(coin));
  const shownAmount = useCounting(target, fromZero ? 0n : target);
  if (shownAmount === target) return <Amount {...props} />;
  // The same number of digits as the final value, so that the width stays constant.
  const digits = typeof value === "string" ? (value.split(".")[1]?.length ?? 0) : coinScale(coin);
  return (
    <>
      <span className="sr-only">
        <Amount {...props} />
      </span>
      <span aria-hidden="true">
        <Amount
          {...props}
          value={padFraction(formatDecimal(shownAmount, coinScale(coin)), digits)}
        />
      </span>
    </>
  );
}

/** A decimal string with exactly `digits` after the point, without rounding. */
function padFraction(text: string, digits: number): string {
  const [integerPart = "0", fraction = ""] = text.split(".");
  return digits === 0
    ? integerPart
    : `${integerPart}.${fraction.padEnd(digits, "0").slice(0, digits)}`;
}
