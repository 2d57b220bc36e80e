import { type ReactNode, useId } from "react";
import { cx } from "#ui/cx.ts";

export interface SectionProps {
  title?: ReactNode;
  /** At the end of the title line: a small link or a state. */
  action?: ReactNode;
  /** Text under the title. */
  note?: ReactNode;
  children: ReactNode;
  /**
   * `rows` draws hairlines above, between and below its children; `plain` adds the 16 px page
   * margin.
   */
  kind?: "rows" | "plain";
  className?: string;
}

/** A part of a page with its own heading. */
export function Section({ title, action, note, children, kind = "rows", className }: SectionProps) {
  const id = useId();
  return (
    <section aria-labelledby={title ? id : undefined} className={cx("mt-8 first:mt-4", className)}>
      {title ? (
        <div className="flex min-h-11 items-center justify-between gap-3 px-4">
          <h2 id={id} className="text-body font-strong">
            {title}
          </h2>
          {action}
        </div>
      ) : null}
      {note ? <p className="px-4 pb-3 text-small text-ink-soft">{note}</p> : null}
      {kind === "rows" ? (
        <div className="hairlines border-y border-line">{children}</div>
      ) : (
        <div className="px-4">{children}</div>
      )}
    </section>
  );
}
