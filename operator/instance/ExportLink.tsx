import { IconDownload } from "@tabler/icons-react";
import type { ExportTable } from "#api/operator/instance.ts";
import { exportInstance } from "#api/routes/operator/instance.ts";
import { useText } from "#i18n/useText.ts";
import { usePermission } from "#operator/app/useOperator.ts";

/**
 * Downloads a table as CSV, for operators with the permission. Its content is announced to
 * assistive technology, since a page has several.
 */
export function ExportLink({ table, title }: { table: ExportTable; title: string }) {
  const t = useText();
  if (!usePermission("instance.export")) return null;
  return (
    <a
      href={`${exportInstance.path}?table=${table}`}
      download
      className="inline-flex min-h-11 items-center gap-1.5 text-small text-signal-ink hover:underline"
    >
      <IconDownload size={18} aria-hidden="true" />
      {t("instance.csv")}
      <span className="sr-only">{t("instance.export", { table: title })}</span>
    </a>
  );
}
