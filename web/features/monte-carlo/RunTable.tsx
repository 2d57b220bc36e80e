import type { ReactNode } from "react";

/** A row: one figure for each column, under a name that explains it. */
interface RunTableRow {
  name: string;
  hint?: string | undefined;
  values: readonly ReactNode[];
}

interface RunTableProps {
  caption: string;
  /** The heading of the column of names, and of each other column. */
  head: string;
  columns: readonly string[];
  rows: readonly RunTableRow[];
}

/** All figures behind a chart, for those who cannot see it and those who want exact numbers. */
export function RunTable({ caption, head, columns, rows }: RunTableProps) {
  return (
    <table className="w-full text-small">
      <caption className="sr-only">{caption}</caption>
      <thead className="text-left text-caption text-ink-faint">
        <tr>
          <th scope="col" className="py-1 pr-2 font-normal">
            {head}
          </th>
          {columns.map((column) => (
            <th key={column} scope="col" className="px-1 text-right font-normal">
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="hairlines">
        {rows.map(({ name, hint, values }) => (
          <tr key={name} className="text-right">
            <th scope="row" className="py-1.5 pr-2 text-left font-normal">
              {name}
              {hint ? <span className="block text-caption text-ink-faint">{hint}</span> : null}
            </th>
            {values.map((value, index) => (
              <td key={columns[index]} className="px-1">
                {value}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
