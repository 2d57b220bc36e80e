import type { ReactNode, TouchEvent } from "react";
import { useText } from "#i18n/useText.ts";
import { cx } from "#ui/cx.ts";

interface Column<Row> {
  id: string;
  head: ReactNode;
  cell: (row: Row) => ReactNode;
  /** Figures are aligned to the end. */
  isEndAligned?: boolean;
}

interface Props<Row> {
  /** The table's name for assistive technology. */
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  getKey: (row: Row) => string | number;
}

/**
 * A dense table. If wider than the screen it scrolls sideways, by touch or keyboard; its first
 * column identifies the row.
 */
export function Table<Row>({ label, columns, rows, getKey }: Props<Row>) {
  const t = useText();
  if (rows.length === 0) {
    return <p className="px-4 py-4 text-small text-ink-soft">{t("instance.none")}</p>;
  }
  return (
    <div
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must take the keyboard
      tabIndex={0} // oxlint-disable-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must take the keyboard
      onTouchStart={stopSwipe}
      className="overflow-x-auto focus-visible:-outline-offset-2"
    >
      <table className="w-full border-collapse text-small tabular-nums">
        <caption className="sr-only">{label}</caption>
        <thead>
          <tr className="text-caption text-ink-faint">
            {columns.map(({ id, head, isEndAligned }) => (
              <th
                key={id}
                scope="col"
                className={cx(
                  "px-2 py-2 align-bottom font-normal whitespace-nowrap first:pl-4 last:pr-4",
                  isEndAligned ? "text-right" : "text-left",
                )}
              >
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={getKey(row)} className="border-t border-line">
              {columns.map(({ id, cell, isEndAligned }, index) => {
                const rowClass = cx(
                  "h-10 px-2 py-1.5 font-normal first:pl-4 last:pr-4",
                  isEndAligned ? "text-right whitespace-nowrap" : "text-left",
                );
                return index === 0 ? (
                  <th key={id} scope="row" className={rowClass}>
                    {cell(row)}
                  </th>
                ) : (
                  <td key={id} className={rowClass}>
                    {cell(row)}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** A swipe over a table that scrolls sideways scrolls the table instead of switching tabs. */
function stopSwipe(event: TouchEvent<HTMLElement>): void {
  const { scrollWidth, clientWidth } = event.currentTarget;
  if (scrollWidth > clientWidth) event.stopPropagation();
}
