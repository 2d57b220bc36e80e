import type { UseQueryResult } from "@tanstack/react-query";
import { useIntl } from "react-intl";
import type { CallError } from "#api/client.ts";
import type { AuditEntryView } from "#api/operator/audit.ts";
import { actNames } from "#core/operator/auditEvents.ts";
import { Empty } from "#ui/Empty.tsx";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import { Row } from "#ui/Row.tsx";
import { SkeletonRows } from "#ui/Skeleton.tsx";
import { useSentence } from "#web/lib/useErrorMessage.ts";

interface Props {
  acts: UseQueryResult<{ items: AuditEntryView[] }, CallError>;
  /** Names of operators by id, where they are known. */
  names?: ReadonlyMap<string, string> | undefined;
  onOpen?: ((entry: AuditEntryView) => void) | undefined;
}

/** Entries of the audit, newest first, with what loading, failing and emptiness look like. */
export function ActList({ acts, names, onOpen }: Props) {
  const { formatMessage } = useIntl();
  const sentence = useSentence();
  const { data, error, refetch, isFetching } = acts;
  if (error && !data) {
    return (
      <div className="p-4">
        <ErrorNote onRetry={() => void refetch()} busy={isFetching}>
          {sentence(error)}
        </ErrorNote>
      </div>
    );
  }
  if (!data) return <SkeletonRows />;
  if (data.items.length === 0) return <Empty title={formatMessage({ id: "console.acts.none" })} />;
  return data.items.map((entry) => (
    <Act key={entry.seq} entry={entry} names={names} onOpen={onOpen} />
  ));
}

function Act({ entry, names, onOpen }: { entry: AuditEntryView } & Omit<Props, "acts">) {
  const { formatDate } = useIntl();
  const title = useActTitle();
  const who = names?.get(entry.operator_id);
  const time = formatDate(entry.at_ms, { dateStyle: "medium", timeStyle: "medium" });
  return (
    <Row
      label={title(entry.what)}
      hint={who ? `${who} · ${time}` : time}
      value={<span className="text-small text-ink-faint tabular-nums">{entry.seq}</span>}
      {...(onOpen ? { onClick: () => onOpen(entry) } : {})}
    />
  );
}

/** An act in the reader's language; its bare name when a newer server knows acts that this page does not. */
export function useActTitle(): (what: string) => string {
  const { formatMessage } = useIntl();
  return (what) =>
    (actNames as readonly string[]).includes(what) ? formatMessage({ id: `acts.${what}` }) : what;
}
