import { Input } from "@base-ui/react/input";
import type { ComponentProps } from "react";
import { cx } from "#ui/cx.ts";

/** Shared by every box that is typed into. 16 px text, so that phones do not zoom in. */
export const inputClass =
  "min-h-12 w-full rounded-dock border border-line-strong bg-leaf px-3.5 text-body text-ink placeholder:text-ink-faint focus:outline-2 focus:-outline-offset-1 focus:outline-signal-ink data-invalid:border-flare disabled:opacity-45";

export interface TextInputProps
  extends Omit<ComponentProps<typeof Input>, "onChange" | "className"> {
  value: string;
  onChange: (value: string) => void;
  className?: string;
}

/** One line of text; inside a `Field` it takes its label, hint and error. */
export function TextInput({ onChange, className, ...rest }: TextInputProps) {
  return (
    <Input
      {...rest}
      onValueChange={(value) => onChange(value)}
      className={cx(inputClass, className)}
    />
  );
}
