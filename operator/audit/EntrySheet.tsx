import { useState } from "react";
import { useIntl } from "react-intl";
import type { AuditEntryView } from "#api/operator/audit.ts";
import { useText } from "#i18n/useText.ts";
import { useAuditEventTitle } from "#operator/app/AuditEventList.tsx";
import { Hash } from "#ui/figures/Hash.tsx";
import { Sheet } from "#ui/overlay/Sheet.tsx";
import { Row } from "#ui/Row.tsx";

interface Props {
  entry: AuditEntryView | null;
  name: string | undefined;
  onClose: () => void;
}

/** One entry with all its fields. Stays rendered while the sheet closes. */
export function EntrySheet({ entry, name, onClose }: Props) {
  const title = useAuditEventTitle();
  const [lastEntry, setLastEntry] = useState(entry);
  if (entry && entry !== lastEntry) setLastEntry(entry);
  return (
    <Sheet
      open={entry !== null}
      onOpenChange={(next) => {
        if (!next) onClose();
      }}
      title={lastEntry ? title(lastEntry.what) : ""}
    >
      {lastEntry ? <Entry entry={lastEntry} name={name} /> : null}
    </Sheet>
  );
}

function Entry({ entry, name }: { entry: AuditEntryView; name: string | undefined }) {
  const { formatDate } = useIntl();
  const t = useText();
  const time = formatDate(entry.at_ms, { dateStyle: "long", timeStyle: "long" });
  const details = Object.entries(entry.details ?? {});
  const ids: [string, string | null][] = [
    ["console.audit.operator", name ? null : entry.operator_id],
    ["console.audit.target", entry.target],
    ["console.audit.person", entry.touches],
    ["console.audit.hash", entry.hash],
  ];
  return (
    <div className="hairlines -mx-4 border-y border-line">
      <Row label={t("console.audit.number")} value={entry.seq} />
      <Row label={t("console.audit.time")} value={time} />
      <Row label={t("console.audit.leaf")} value={entry.leaf} />
      {name ? <Row label={t("console.audit.operator")} value={name} /> : null}
      <Row label={t("console.role")} value={t(`permissions.role.${entry.role}`)} />
      {entry.why === null ? null : (
        <div className="px-4 py-3">
          <p className="text-small text-ink-faint">{t("console.audit.why")}</p>
          <p className="break-words">{entry.why}</p>
        </div>
      )}
      {entry.erased ? (
        <p className="px-4 py-3 text-small text-ink-soft">{t("console.audit.erased")}</p>
      ) : null}
      {details.map(([key, value]) => (
        <Row
          key={key}
          label={<span className="font-mono text-small">{key}</span>}
          value={<span className="font-mono text-small break-words">{String(value)}</span>}
        />
      ))}
      {ids.map(([label, value]) =>
        value === null ? null : (
          <Row key={label} label={t(label)} value={<Hash value={value} label={t(label)} />} />
        ),
      )}
    </div>
  );
}
