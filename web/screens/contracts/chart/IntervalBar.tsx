import { useId } from "react";
import { type Interval, intervalNames } from "#core/market/intervals.ts";
import { useText } from "#i18n/useText.ts";

/** The eight intervals on one line, at touch height. */
export function IntervalBar({
  value,
  onChange,
}: {
  value: Interval;
  onChange: (value: Interval) => void;
}) {
  const t = useText();
  const name = useId();
  return (
    <fieldset aria-label={t("contracts.chart.intervals")} className="flex">
      {intervalNames.map((interval) => (
        <label
          key={interval}
          className="relative grid min-h-11 flex-1 place-items-center rounded-dock text-small text-ink-soft has-checked:font-strong has-checked:text-ink has-checked:underline has-checked:decoration-ink has-checked:decoration-2 has-checked:underline-offset-8 has-focus-visible:outline-2 has-focus-visible:outline-signal-ink"
        >
          <input
            type="radio"
            name={name}
            checked={interval === value}
            onChange={() => onChange(interval)}
            className="absolute inset-0 cursor-pointer opacity-0"
          />
          {interval}
        </label>
      ))}
    </fieldset>
  );
}
