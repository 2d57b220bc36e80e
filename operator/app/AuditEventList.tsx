import { useIntl } from "react-intl";
import type { AuditEntryView } from "#api/operator/audit.ts";
import { auditEventNames } from "#core/operator/auditEvents.ts";
import { useText } from "#i18n/useText.ts";
import { Empty } from "#ui/Empty.tsx";
import { Row } from "#ui/Row.tsx";
import { type TableColumn, TableHead, TableRow } from "#ui/TableRow.tsx";
import { useWide } from "#ui/useWide.ts";
import { PagedList } from "#web/lib/api/PagedList.tsx";
import type { ApiPages } from "#web/lib/api/useApiPages.ts";

interface Props {
  events: ApiPages<AuditEntryView>;
  /** Names of operators by id, where known. */
  names?: ReadonlyMap<string, string> | undefined;
  onOpen?: ((entry: AuditEntryView) => void) | undefined;
}

/** Audit events, newest first. From 1 024 px on, those that open form a table of five columns. */
export function AuditEventList({ events, names, onOpen }: Props) {
  const t = useText();
  const columns = useColumns();
  const isTable = useWide() && onOpen !== undefined;
  return (
    <>
      {isTable && events.items?.length ? <TableHead layout={layout} columns={columns} /> : null}
      <PagedList
        list={events}
        keyOf={(entry) => String(entry.seq)}
        className="hairlines"
        empty={<Empty title={t("console.acts.none")} />}
      >
        {(entry) =>
          isTable ? (
            <AuditTableRow entry={entry} names={names} columns={columns} onOpen={onOpen} />
          ) : (
            <AuditEventRow entry={entry} names={names} onOpen={onOpen} />
          )
        }
      </PagedList>
    </>
  );
}

const layout = "grid-cols-[4rem_12rem_minmax(0,1fr)_9rem_7rem]";

type ColumnName = "number" | "time" | "what" | "operator" | "leaf";

function useColumns(): TableColumn<ColumnName>[] {
  const t = useText();
  return [
    { id: "number", head: t("console.audit.number"), className: "text-ink-faint" },
    { id: "time", head: t("console.audit.time"), className: "text-ink-soft" },
    { id: "what", head: t("console.audit.what") },
    { id: "operator", head: t("console.audit.operator"), className: "truncate" },
    { id: "leaf", head: t("console.audit.leaf"), end: true, className: "text-ink-faint" },
  ];
}

function AuditTableRow({
  entry,
  names,
  columns,
  onOpen,
}: {
  entry: AuditEntryView;
  columns: readonly TableColumn<ColumnName>[];
  onOpen: (entry: AuditEntryView) => void;
} & Pick<Props, "names">) {
  const { formatDate } = useIntl();
  const title = useAuditEventTitle();
  return (
    <TableRow
      layout={layout}
      columns={columns}
      cells={{
        number: entry.seq,
        time: formatDate(entry.at_ms, { dateStyle: "medium", timeStyle: "medium" }),
        what: title(entry.what),
        operator: names?.get(entry.operator_id),
        leaf: entry.leaf,
      }}
      onClick={() => onOpen(entry)}
    />
  );
}

function AuditEventRow({
  entry,
  names,
  onOpen,
}: { entry: AuditEntryView } & Omit<Props, "events">) {
  const { formatDate } = useIntl();
  const t = useText();
  const title = useAuditEventTitle();
  const operatorName = names?.get(entry.operator_id);
  const time = formatDate(entry.at_ms, { dateStyle: "medium", timeStyle: "medium" });
  const leaf = t("console.audit.leafOf", { leaf: entry.leaf });
  return (
    <Row
      label={title(entry.what)}
      hint={operatorName ? `${operatorName} · ${time} · ${leaf}` : `${time} · ${leaf}`}
      value={<span className="text-small text-ink-faint tabular-nums">{entry.seq}</span>}
      {...(onOpen ? { onClick: () => onOpen(entry) } : {})}
    />
  );
}

/**
 * An action in the reader's language; its bare name if a newer server knows actions this page does
 * not.
 */
export function useAuditEventTitle(): (what: string) => string {
  const t = useText();
  return (what) =>
    (auditEventNames as readonly string[]).includes(what) ? t(`audit.${what}`) : what;
}
