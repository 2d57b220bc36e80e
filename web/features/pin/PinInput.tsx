import { useEffect, useId, useRef } from "react";
import { pinDigits } from "#core/pin/pin.ts";
import { useText } from "#i18n/useText.ts";
import { cx } from "#ui/cx.ts";

export interface PinInputProps {
  label: string;
  /** The title above says the same, so the label is for assistive technology only. */
  labelHidden?: boolean;
  /** Up to six digits. */
  value: string;
  onChange: (value: string) => void;
  /** Called when all six digits are entered. */
  onFull?: ((value: string) => void) | undefined;
  error?: string | null;
  hint?: string;
  focus?: boolean;
  disabled?: boolean;
}

const places = Array.from({ length: pinDigits }, (_, index) => index);

/**
 * Six boxes drawn over one real input, so that the phone's number pad, pasting and screen readers
 * work as in any other.
 */
export function PinInput({
  label,
  labelHidden,
  value,
  onChange,
  onFull,
  error,
  hint,
  focus,
  disabled,
}: PinInputProps) {
  const t = useText();
  const id = useId();
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (focus) box.current?.focus();
  }, [focus]);
  const type = (text: string) => {
    const digits = text.replace(/[^0-9]/g, "").slice(0, pinDigits);
    if (digits === value) return;
    onChange(digits);
    if (digits.length === pinDigits) onFull?.(digits);
  };
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={id} className={labelHidden ? "sr-only" : "text-small font-strong"}>
        {label}
      </label>
      <div className="group relative max-w-80">
        <input
          ref={box}
          id={id}
          type="password"
          inputMode="numeric"
          autoComplete="off"
          enterKeyHint="done"
          value={value}
          disabled={disabled}
          aria-invalid={Boolean(error) || undefined}
          aria-describedby={`${id}-note`}
          onChange={(event) => type(event.target.value)}
          className="absolute inset-0 z-10 w-full cursor-text opacity-0"
        />
        <span aria-hidden="true" className="grid grid-cols-6 gap-2">
          {places.map((index) => (
            <span
              key={index}
              className={cx(
                "grid h-14 place-items-center rounded-dock border bg-leaf",
                error ? "border-flare" : "border-line-strong",
                index === Math.min(value.length, pinDigits - 1) &&
                  "group-focus-within:outline-2 group-focus-within:-outline-offset-1 group-focus-within:outline-signal-ink",
              )}
            >
              {index < value.length ? <span className="size-2.5 rounded-full bg-ink" /> : null}
            </span>
          ))}
        </span>
      </div>
      <div
        id={`${id}-note`}
        aria-live="polite"
        className={error ? "text-small text-flare" : "text-caption text-ink-faint"}
      >
        {error ?? hint ?? t("pin.enter.hint")}
      </div>
    </div>
  );
}
