import { IconChevronDown } from "@tabler/icons-react";
import type { ReactNode } from "react";

/** A label that expands the content below it when pressed. */
export function Fold({ label, children }: { label: ReactNode; children: ReactNode }) {
  return (
    <details className="group">
      <summary className="flex min-h-11 list-none items-center gap-1.5 font-strong text-signal-ink [&::-webkit-details-marker]:hidden">
        <span className="min-w-0">{label}</span>
        <IconChevronDown
          size={18}
          aria-hidden="true"
          className="shrink-0 transition-transform group-open:rotate-180"
        />
      </summary>
      {children}
    </details>
  );
}
