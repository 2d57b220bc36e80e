import { useIntl } from "react-intl";
import type { AuditEntryView } from "#api/operator/audit.ts";
import { auditEventNames } from "#core/operator/auditEvents.ts";
import { useText } from "#i18n/useText.ts";
import { Empty } from "#ui/Empty.tsx";
import { Row } from "#ui/Row.tsx";
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
  const isTable = useWide() && onOpen !== undefined;
  return (
    <>
      {isTable && events.items?.length ? (
        <p className={`${columns} py-2 text-caption text-ink-faint`} aria-hidden="true">
          <span>{t("console.audit.number")}</span>
          <span>{t("console.audit.time")}</span>
          <span>{t("console.audit.what")}</span>
          <span>{t("console.audit.operator")}</span>
          <span>{t("console.audit.leaf")}</span>
        </p>
      ) : null}
      <PagedList
        list={events}
        keyOf={(entry) => String(entry.seq)}
        className="hairlines"
        empty={<Empty title={t("console.acts.none")} />}
      >
        {(entry) =>
          isTable ? (
            <AuditTableRow entry={entry} names={names} onOpen={onOpen} />
          ) : (
            <AuditEventRow entry={entry} names={names} onOpen={onOpen} />
          )
        }
      </PagedList>
    </>
  );
}

const columns =
  "grid w-full grid-cols-[4rem_12rem_minmax(0,1fr)_9rem_7rem] items-baseline gap-x-3 px-4 text-left text-small";

function AuditTableRow({
  entry,
  names,
  onOpen,
}: { entry: AuditEntryView; onOpen: (entry: AuditEntryView) => void } & Pick<Props, "names">) {
  const { formatDate } = useIntl();
  const title = useAuditEventTitle();
  return (
    <button
      type="button"
      onClick={() => onOpen(entry)}
      className={`${columns} min-h-11 py-2.5 tabular-nums transition-colors hover:bg-leaf focus-visible:-outline-offset-2 active:bg-well`}
    >
      <span className="text-ink-faint">{entry.seq}</span>
      <span className="text-ink-soft">
        {formatDate(entry.at_ms, { dateStyle: "medium", timeStyle: "medium" })}
      </span>
      <span>{title(entry.what)}</span>
      <span className="truncate">{names?.get(entry.operator_id)}</span>
      <span className="text-ink-faint">{entry.leaf}</span>
    </button>
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
