import type { ReactNode } from "react";
import { cx } from "#ui/cx.ts";

export type BadgeTone = "neutral" | "rise" | "fall" | "warning";

const tones: Record<BadgeTone, string> = {
  neutral: "bg-well text-ink-soft",
  rise: "bg-rise-wash text-rise",
  fall: "bg-fall-wash text-fall",
  warning: "bg-warning-wash text-warning",
};

/** A state in one or two words. Not interactive; the words carry the meaning, not the colour. */
export function Badge({ children, tone = "neutral" }: { children: ReactNode; tone?: BadgeTone }) {
  return (
    <span
      className={cx(
        "inline-flex items-center gap-1 rounded-[6px] px-2 py-0.5 text-caption font-strong whitespace-nowrap",
        tones[tone],
      )}
    >
      {children}
    </span>
  );
}
