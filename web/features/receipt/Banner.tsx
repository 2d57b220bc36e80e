import type { ReactNode } from "react";
import { cx } from "#ui/cx.ts";

/** A finding about a receipt: a prominent sentence, and what it means. */
export function Banner({
  icon,
  title,
  isProblem,
  children,
}: {
  icon: ReactNode;
  title: string;
  isProblem?: boolean;
  children: ReactNode;
}) {
  return (
    <div
      className={cx(
        "flex gap-3 rounded-dock border px-4 py-3.5",
        isProblem ? "border-flare bg-flare-wash" : "border-line-strong bg-leaf",
      )}
    >
      <span className={cx("mt-0.5 shrink-0", isProblem && "text-flare")}>{icon}</span>
      <div className="min-w-0">
        <p className="font-strong">{title}</p>
        <p className="text-small text-ink-soft">{children}</p>
      </div>
    </div>
  );
}
