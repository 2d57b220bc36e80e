import type { ButtonHTMLAttributes, ReactNode } from "react";
import { cx } from "#ui/cx.ts";

export interface IconButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  /** The action, as a verb: the accessible name and the tooltip. */
  label: string;
  children: ReactNode;
  /** For toggle buttons (a star): draws it in the signal colour. */
  pressed?: boolean | undefined;
}

/** An icon-only button, 44 by 44 px. */
export function IconButton({ label, children, pressed, className, ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      aria-label={label}
      aria-pressed={pressed}
      title={label}
      className={cx(
        "inline-grid size-11 shrink-0 place-items-center rounded-dock transition-colors hover:bg-well active:bg-well disabled:opacity-45",
        pressed ? "text-signal-ink" : "text-ink-soft",
        className,
      )}
    >
      {children}
    </button>
  );
}
