import type { ReactNode } from "react";
import { cx } from "#ui/cx.ts";

/**
 * The action of a screen, last in its column. It sticks to the foot of the window while its place
 * is below, so that it is always visible.
 */
export function ActionBar({ children, className }: { children: ReactNode; className?: string }) {
  return (
    <div
      className={cx(
        "sticky bottom-(--foot) z-10 border-t border-line bg-paper px-4 py-3",
        className,
      )}
    >
      {children}
    </div>
  );
}
