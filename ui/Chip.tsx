import type { ReactNode } from "react";
import { cx } from "#ui/cx.ts";

export interface ChipProps {
  children: ReactNode;
  selected?: boolean;
  disabled?: boolean;
  onClick: () => void;
}

/**
 * A compact choice that sets or filters something. The touch target is 44 px high, the visible chip
 * 36.
 */
export function Chip({ children, selected = false, disabled, onClick }: ChipProps) {
  return (
    <button
      type="button"
      aria-pressed={selected}
      disabled={disabled}
      onClick={onClick}
      className="group -my-1 inline-flex min-h-11 items-center disabled:opacity-45"
    >
      <span
        className={cx(
          "inline-flex min-h-9 min-w-11 items-center justify-center rounded-dock border px-3 text-small transition-colors",
          selected
            ? "border-ink bg-leaf font-strong text-ink"
            : "border-line text-ink-soft group-hover:bg-leaf",
        )}
      >
        {children}
      </span>
    </button>
  );
}
