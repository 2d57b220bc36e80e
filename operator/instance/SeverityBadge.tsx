import { IconAlertTriangle, IconCheck, IconEye } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { cx } from "#ui/cx.ts";
import type { Severity } from "./severity.ts";

const severityLooks = {
  good: { Icon: IconCheck, tone: "text-tide" },
  warning: { Icon: IconEye, tone: "text-warning" },
  bad: { Icon: IconAlertTriangle, tone: "text-flare" },
} as const;

/** A state in words, with a distinct icon for each severity. */
export function SeverityBadge({ severity, children }: { severity: Severity; children: ReactNode }) {
  const { Icon, tone } = severityLooks[severity];
  return (
    <span
      className={cx(
        "inline-flex items-center gap-1 align-middle font-strong whitespace-nowrap",
        tone,
      )}
    >
      <Icon size={16} aria-hidden="true" className="shrink-0" />
      {children}
    </span>
  );
}
