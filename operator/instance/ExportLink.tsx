import { IconDownload } from "@tabler/icons-react";
import { useIntl } from "react-intl";
import type { ExportTable } from "#api/operator/instance.ts";
import { exportInstance } from "#api/routes/operator/instance.ts";
import { useMay } from "#operator/app/useOperator.ts";

/** Downloads a table as CSV, for whoever may. What it holds is said to assistive technology: there are several on a page. */
export function ExportLink({ table, title }: { table: ExportTable; title: string }) {
  const { formatMessage } = useIntl();
  if (!useMay("instance.export")) return null;
  return (
    <a
      href={`${exportInstance.path}?table=${table}`}
      download
      className="inline-flex min-h-11 items-center gap-1.5 text-small text-signal-ink hover:underline"
    >
      <IconDownload size={18} aria-hidden="true" />
      {formatMessage({ id: "instance.csv" })}
      <span className="sr-only">{formatMessage({ id: "instance.export" }, { table: title })}</span>
    </a>
  );
}
