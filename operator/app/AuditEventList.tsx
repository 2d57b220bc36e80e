import { useIntl } from "react-intl";
import type { AuditEntryView } from "#api/operator/audit.ts";
import { auditEventNames } from "#core/operator/auditEvents.ts";
import { useText } from "#i18n/useText.ts";
import { Empty } from "#ui/Empty.tsx";
import { Row } from "#ui/Row.tsx";
import { PagedList } from "#web/lib/api/PagedList.tsx";
import type { ApiPages } from "#web/lib/api/useApiPages.ts";

interface Props {
  events: ApiPages<AuditEntryView>;
  /** Names of operators by id, where known. */
  names?: ReadonlyMap<string, string> | undefined;
  onOpen?: ((entry: AuditEntryView) => void) | undefined;
}

/** Audit events, newest first. */
export function AuditEventList({ events, names, onOpen }: Props) {
  const t = useText();
  return (
    <PagedList
      list={events}
      keyOf={(entry) => String(entry.seq)}
      className="hairlines"
      empty={<Empty title={t("console.acts.none")} />}
    >
      {(entry) => <AuditEventRow entry={entry} names={names} onOpen={onOpen} />}
    </PagedList>
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
  const who = names?.get(entry.operator_id);
  const time = formatDate(entry.at_ms, { dateStyle: "medium", timeStyle: "medium" });
  const leaf = t("console.audit.leafOf", { leaf: entry.leaf });
  return (
    <Row
      label={title(entry.what)}
      hint={who ? `${who} · ${time} · ${leaf}` : `${time} · ${leaf}`}
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
