import type { ReactNode } from "react";
import { cx } from "#ui/cx.ts";
import { Link } from "#ui/router.tsx";

export interface TableColumn<Id extends string = string> {
  id: Id;
  head: ReactNode;
  /** Figures and states are aligned to the end. */
  end?: boolean;
  /** Applies to the column's cells, not to its head. */
  className?: string;
}

interface TableLayout<Id extends string> {
  /** A `grid-cols-[…]` utility with one width for each column. */
  layout: string;
  columns: readonly TableColumn<Id>[];
}

interface TableRowProps<Id extends string> extends TableLayout<Id> {
  cells: Readonly<Record<Id, ReactNode>>;
  /** Makes the whole row a link. */
  to?: string;
  /** Makes the whole row a button. */
  onClick?: () => void;
}

const line = "grid w-full gap-x-3 px-4 text-left text-small";
const end = "text-right justify-self-end";

/**
 * The heads above a list of `TableRow`s, for screens with room for columns. Assistive technology
 * hears each row as one link or button, as it does on a phone, and no heads.
 */
export function TableHead<Id extends string>({ layout, columns }: TableLayout<Id>) {
  return (
    <p
      className={cx(line, layout, "items-end py-2 text-caption text-ink-faint")}
      aria-hidden="true"
    >
      {columns.map(({ id, head, end: isEnd }) => (
        <span key={id} className={cx(isEnd && end)}>
          {head}
        </span>
      ))}
    </p>
  );
}

/** One row of a list as columns; all of it can be pressed. Put rows in `hairlines`. */
export function TableRow<Id extends string>({
  layout,
  columns,
  cells,
  to,
  onClick,
}: TableRowProps<Id>) {
  const rowClass = cx(
    line,
    layout,
    "min-h-11 items-baseline py-2.5 tabular-nums transition-colors hover:bg-leaf focus-visible:-outline-offset-2 active:bg-well",
  );
  const body = columns.map(({ id, end: isEnd, className }) => (
    <span key={id} className={cx("min-w-0", isEnd && end, className)}>
      {cells[id]}
    </span>
  ));
  if (to !== undefined) {
    return (
      <Link to={to} className={rowClass}>
        {body}
      </Link>
    );
  }
  return (
    <button type="button" onClick={onClick} className={rowClass}>
      {body}
    </button>
  );
}
