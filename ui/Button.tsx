import type { ButtonHTMLAttributes, ReactNode } from "react";
import { type ButtonLook, buttonClass } from "#ui/buttonClass.ts";
import { cx } from "#ui/cx.ts";
import { Spinner } from "#ui/Spinner.tsx";

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement>, ButtonLook {
  /**
   * In progress: stays focusable, ignores presses, and is announced as busy to assistive
   * technology.
   */
  busy?: boolean | undefined;
  icon?: ReactNode;
}

/**
 * A button, labelled with a verb ("Place order"). For navigation use a `Link` with `buttonClass()`.
 */
export function Button({
  variant,
  size,
  block,
  busy,
  icon,
  children,
  className,
  onClick,
  ...rest
}: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      aria-busy={busy || undefined}
      aria-disabled={busy || undefined}
      onClick={
        busy
          ? (event) => {
              event.preventDefault();
            }
          : onClick
      }
      className={cx(buttonClass({ variant, size, block }), className)}
    >
      {busy ? <Spinner /> : icon}
      {children}
    </button>
  );
}
