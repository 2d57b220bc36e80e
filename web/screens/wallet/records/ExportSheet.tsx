import { exportRecords } from "#api/routes/records.ts";
import { exportFormats } from "#core/records/exportFormats.ts";
import { useText } from "#i18n/useText.ts";
import { buttonClass } from "#ui/buttonClass.ts";
import { Sheet } from "#ui/overlay/Sheet.tsx";
import type { RecordFilter } from "./useRecords.ts";

interface ExportSheetProps {
  open: boolean;
  onClose: () => void;
  filter: RecordFilter;
  isNarrowed: boolean;
}

/** Exports everything that matches the filter, as a file the browser saves. */
export function ExportSheet({ open, onClose, filter, isNarrowed }: ExportSheetProps) {
  const t = useText();
  const filters = Object.entries(filter).map(([name, value]) => [name, String(value)]);
  return (
    <Sheet
      open={open}
      onOpenChange={(next) => {
        if (!next) onClose();
      }}
      title={t("records.export")}
      description={t(isNarrowed ? "records.export.narrowed" : "records.export.whole")}
    >
      <p className="mb-4 text-small text-ink-soft">{t("records.export.mark")}</p>
      <div className="grid gap-2">
        {exportFormats.map((format) => (
          <a
            key={format}
            href={`${exportRecords.path}?${new URLSearchParams([...filters, ["format", format]])}`}
            download
            onClick={onClose}
            className={buttonClass({ variant: "outline", block: true })}
          >
            {t(`records.export.${format}`)}
          </a>
        ))}
      </div>
    </Sheet>
  );
}
