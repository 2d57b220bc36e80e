import { useState } from "react";
import { useIntl } from "react-intl";
import type { AuditEntryView } from "#api/operator/audit.ts";
import { useActTitle } from "#operator/app/AuditEventList.tsx";
import { Hash } from "#ui/figures/Hash.tsx";
import { Sheet } from "#ui/overlay/Sheet.tsx";
import { Row } from "#ui/Row.tsx";

interface Props {
  entry: AuditEntryView | null;
  name: string | undefined;
  onClose: () => void;
}

/** One entry with all that it holds. It stays drawn while the sheet closes. */
export function EntrySheet({ entry, name, onClose }: Props) {
  const title = useActTitle();
  const [last, setLast] = useState(entry);
  if (entry && entry !== last) setLast(entry);
  return (
    <Sheet
      open={entry !== null}
      onOpenChange={(next) => {
        if (!next) onClose();
      }}
      title={last ? title(last.what) : ""}
    >
      {last ? <Entry entry={last} name={name} /> : null}
    </Sheet>
  );
}

function Entry({ entry, name }: { entry: AuditEntryView; name: string | undefined }) {
  const { formatMessage, formatDate } = useIntl();
  const text = (id: string) => formatMessage({ id });
  const time = formatDate(entry.at_ms, { dateStyle: "long", timeStyle: "long" });
  const details = Object.entries(entry.details ?? {});
  const ids: [string, string | null][] = [
    ["console.audit.operator", name ? null : entry.operator_id],
    ["console.audit.target", entry.target],
    ["console.audit.person", entry.touches],
    ["console.audit.textHash", entry.text_hash],
    ["console.audit.hash", entry.hash],
  ];
  return (
    <div className="hairlines -mx-4 border-y border-line">
      <Row label={text("console.audit.number")} value={entry.seq} />
      <Row label={text("console.audit.time")} value={time} />
      {name ? <Row label={text("console.audit.operator")} value={name} /> : null}
      <Row label={text("console.role")} value={text(`powers.role.${entry.role}`)} />
      {entry.why === null ? null : (
        <div className="px-4 py-3">
          <p className="text-small text-ink-faint">{text("console.audit.why")}</p>
          <p className="break-words">{entry.why}</p>
        </div>
      )}
      {entry.erased ? (
        <p className="px-4 py-3 text-small text-ink-soft">{text("console.audit.erased")}</p>
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
          <Row key={label} label={text(label)} value={<Hash value={value} label={text(label)} />} />
        ),
      )}
    </div>
  );
}
