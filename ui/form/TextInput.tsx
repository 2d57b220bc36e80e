import type { ComponentProps } from "react";
import { cx } from "#ui/cx.ts";
import { useFieldLink } from "#ui/form/fieldContext.ts";

/** Shared by all text boxes. 16 px text, so that phones do not zoom in. */
export const inputClass =
  "min-h-12 w-full rounded-dock border border-line-strong bg-leaf px-3.5 text-body text-ink placeholder:text-ink-faint focus:outline-2 focus:-outline-offset-1 focus:outline-signal-ink aria-invalid:border-flare disabled:opacity-45";

export interface TextInputProps extends Omit<ComponentProps<"input">, "onChange" | "value"> {
  value: string;
  onChange: (value: string) => void;
}

/** A single-line text box; inside a `Field` it takes that field's label, hint and error. */
export function TextInput({ onChange, className, ...rest }: TextInputProps) {
  const link = useFieldLink();
  return (
    <input
      {...link}
      {...rest}
      onChange={(event) => onChange(event.target.value)}
      className={cx(inputClass, className)}
    />
  );
}
