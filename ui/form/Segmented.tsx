import { type ReactNode, useId } from "react";
import { cx } from "#ui/cx.ts";

export interface SegmentedProps<Value extends string> {
  /** The choice's name for assistive technology. */
  label: string;
  value: Value;
  onChange: (value: Value) => void;
  options: readonly { value: Value; label: ReactNode; disabled?: boolean }[];
  /** Gives longer labels more room if equal parts would break them. */
  uneven?: boolean;
}

/** A choice of two to five options. A radio group: arrow keys move within it. */
export function Segmented<Value extends string>({
  label,
  value,
  onChange,
  options,
  uneven = false,
}: SegmentedProps<Value>) {
  const name = useId();
  return (
    <fieldset aria-label={label} className="flex min-w-0 gap-0.5 rounded-dock bg-well p-0.5">
      {options.map((option) => (
        <label
          key={option.value}
          className={cx(
            uneven ? "flex-auto" : "flex-1",
            "relative grid min-h-10 min-w-0 place-items-center rounded-[8px] px-2 text-center text-small text-ink-soft transition-colors has-checked:bg-leaf has-checked:font-strong has-checked:text-ink has-disabled:opacity-45 has-focus-visible:outline-2 has-focus-visible:outline-signal-ink",
          )}
        >
          <input
            type="radio"
            name={name}
            value={option.value}
            checked={option.value === value}
            disabled={option.disabled}
            onChange={() => onChange(option.value)}
            className="absolute inset-0 cursor-pointer opacity-0"
          />
          <span>{option.label}</span>
        </label>
      ))}
    </fieldset>
  );
}
