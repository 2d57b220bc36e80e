import type { ReactNode } from "react";
import { useIntl } from "react-intl";
import { type Coin, coinScale } from "#core/money/coins.ts";
import { Chip } from "#ui/Chip.tsx";
import { cx } from "#ui/cx.ts";
import { decimalSign } from "#ui/figures/numbers.ts";
import { readAmountText, settleAmountText } from "#ui/form/amountText.ts";
import { useFieldLink } from "#ui/form/fieldContext.ts";
import { inputClass } from "#ui/form/TextInput.tsx";

export interface AmountInputProps {
  /**
   * Decimal string of the wire ("12.5"); empty when nothing is typed. May end in a point while
   * typing.
   */
  value: string;
  onChange: (value: string) => void;
  coin: Coin;
  id?: string;
  name?: string;
  disabled?: boolean;
  placeholder?: string;
  /** Required outside a `Field`. */
  "aria-label"?: string;
  /** Suggested amounts below the box; each sets the value. */
  chips?: { label: string; value: string }[];
  /** Shown beside the input, above the chips. */
  beside?: ReactNode;
}

/**
 * Input for an amount of a practice coin. Accepts a comma or a point and at most as many fraction
 * digits as the coin has; nothing passes through a float.
 */
export function AmountInput({ value, onChange, coin, chips, beside, ...rest }: AmountInputProps) {
  const { locale } = useIntl();
  const sign = decimalSign(locale);
  const link = useFieldLink();
  return (
    <div className="flex flex-col gap-2">
      <div className="flex items-start gap-2">
        <div className="relative min-w-0 flex-1">
          <input
            {...link}
            {...rest}
            inputMode="decimal"
            autoComplete="off"
            enterKeyHint="done"
            value={value.replace(".", sign)}
            onChange={(event) => {
              const text = readAmountText(event.target.value, coinScale(coin));
              if (text !== null) onChange(text);
            }}
            onBlur={() => onChange(settleAmountText(value))}
            className={cx(inputClass, "pr-20 text-title font-strong")}
          />
          <span
            aria-hidden="true"
            className="pointer-events-none absolute inset-y-0 right-3.5 flex items-center text-small text-ink-faint"
          >
            {coin}
          </span>
        </div>
        {beside}
      </div>
      {chips && chips.length > 0 ? (
        <div className="flex flex-wrap gap-2">
          {chips.map((chip) => (
            <Chip
              key={chip.label}
              selected={chip.value === settleAmountText(value)}
              onClick={() => onChange(chip.value)}
            >
              {chip.label}
            </Chip>
          ))}
        </div>
      ) : null}
    </div>
  );
}
