import { IconChevronRight } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { cx } from "#ui/cx.ts";
import { Link } from "#ui/router.tsx";

export interface RowProps {
  label: ReactNode;
  /** A second, quieter line under the label. */
  hint?: ReactNode;
  /** Right-aligned at the end: a figure, a state, a switch. */
  value?: ReactNode;
  /** A second, quieter line under the value. */
  valueHint?: ReactNode;
  /** An icon or a mark before the label, at most 40 px wide. */
  leading?: ReactNode;
  /** Makes the whole row a link, with a chevron. */
  to?: string;
  /** Makes the whole row a button, with a chevron. */
  onClick?: () => void;
  className?: string;
}

/** One line of a list. Put rows in a `Section`, which draws the hairlines between them. */
export function Row({ label, hint, value, valueHint, leading, to, onClick, className }: RowProps) {
  const opens = to !== undefined || onClick !== undefined;
  const body = (
    <>
      {leading ? (
        <span className="grid shrink-0 place-items-center text-ink-soft">{leading}</span>
      ) : null}
      <span className="flex min-w-0 flex-1 flex-col">
        <span className="break-words text-pretty">{label}</span>
        {hint ? <span className="text-small text-pretty text-ink-faint">{hint}</span> : null}
      </span>
      {value !== undefined || valueHint ? (
        <span className="flex max-w-[62%] shrink-0 flex-col items-end text-right">
          <span>{value}</span>
          {valueHint ? <span className="text-small text-ink-faint">{valueHint}</span> : null}
        </span>
      ) : null}
      {opens ? (
        <IconChevronRight size={18} className="-mr-1 shrink-0 text-signal-ink" aria-hidden="true" />
      ) : null}
    </>
  );
  const rowClass = cx("flex min-h-14 w-full items-center gap-3 px-4 py-2.5 text-left", className);
  const pressable = cx(
    rowClass,
    "transition-colors hover:bg-leaf active:bg-well focus-visible:-outline-offset-2",
  );
  if (to !== undefined) {
    return (
      <Link to={to} className={pressable}>
        {body}
      </Link>
    );
  }
  if (onClick) {
    return (
      <button type="button" onClick={onClick} className={pressable}>
        {body}
      </button>
    );
  }
  return <div className={rowClass}>{body}</div>;
}
