import { IconPlus } from "@tabler/icons-react";
import { useState } from "react";
import { useIntl } from "react-intl";
import type { PublicationLine } from "#api/operator/publishing.ts";
import type { Kind } from "#core/publishing/bodies.ts";
import { useText } from "#i18n/useText.ts";
import { useMayChange } from "#operator/app/useOperator.ts";
import { listStoredDrafts } from "#operator/publishing/draftStorage.ts";
import { useFormatDateTime } from "#operator/publishing/forms/labels.ts";
import { useOperatorName } from "#operator/publishing/forms/useOperatorName.ts";
import { getCalls, getPermission } from "#operator/publishing/kinds.ts";
import { StateBadge } from "#operator/publishing/PublicationStatus.tsx";
import { Badge } from "#ui/Badge.tsx";
import { Button } from "#ui/Button.tsx";
import { Chip } from "#ui/Chip.tsx";
import { Empty } from "#ui/Empty.tsx";
import { Row } from "#ui/Row.tsx";
import { useNavigate } from "#ui/router.tsx";
import { type TableColumn, TableHead, TableRow } from "#ui/TableRow.tsx";
import { useWide } from "#ui/useWide.ts";
import { PagedList } from "#web/lib/api/PagedList.tsx";
import { useApiPages } from "#web/lib/api/useApiPages.ts";

const states = ["draft", "scheduled", "published", "withdrawn"] as const;
const pageSize = 25;

const getAddress = (kind: Kind, id: string) => `/operator/publishing?kind=${kind}&id=${id}`;

/** Publications of a kind, newest first, by state; and unsaved input of this tab. */
export function KindList({ kind }: { kind: Kind }) {
  const t = useText();
  const navigate = useNavigate();
  const writable = useMayChange(getPermission(kind));
  const [state, setState] = useState<(typeof states)[number] | null>(null);
  const drafts = listStoredDrafts(kind);
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-3 px-4 pt-4">
        <p className="max-w-120 text-small text-ink-soft">{t(`publishing.about.${kind}`)}</p>
        {writable ? (
          <Button
            size="small"
            icon={<IconPlus size={18} aria-hidden="true" />}
            onClick={() =>
              navigate(`/operator/publishing?kind=${kind}&id=${crypto.randomUUID()}&new=1`)
            }
          >
            {t(`publishing.new.${kind}`)}
          </Button>
        ) : null}
      </div>
      <fieldset
        aria-label={t("publishing.filter")}
        className="flex min-w-0 flex-wrap gap-x-2 px-4 pt-3 pb-2"
      >
        <Chip selected={state === null} onClick={() => setState(null)}>
          {t("publishing.filter.all")}
        </Chip>
        {states.map((publicationState) => (
          <Chip
            key={publicationState}
            selected={state === publicationState}
            onClick={() => setState(publicationState)}
          >
            {t(`publishing.state.${publicationState}`)}
          </Chip>
        ))}
      </fieldset>
      <div className="hairlines border-y border-line">
        {drafts
          .filter(({ isNew }) => isNew && (state === null || state === "draft"))
          .map(({ id }) => (
            <Row
              key={id}
              label={t(`publishing.one.${kind}`)}
              hint={t("publishing.line.kept")}
              value={<Badge tone="warning">{t("publishing.line.unsaved")}</Badge>}
              to={`${getAddress(kind, id)}&new=1`}
            />
          ))}
        <Lines kind={kind} state={state} drafts={drafts} />
      </div>
    </>
  );
}

interface LinesProps {
  kind: Kind;
  state: (typeof states)[number] | null;
  drafts: readonly { id: string }[];
}

function Lines({ kind, state, drafts }: LinesProps) {
  const t = useText();
  const isTable = useWide();
  const columns = useColumns();
  const list = useApiPages(
    getCalls(kind).list,
    { page_size: pageSize, ...(state === null ? {} : { state }) },
    { refetchMs: 15_000, staleMs: 0 },
  );
  const Item = isTable ? TableLine : Line;
  return (
    <>
      {isTable && list.items?.length ? <TableHead layout={layout} columns={columns} /> : null}
      <PagedList
        list={list}
        keyOf={(item) => item.id}
        className="hairlines"
        empty={<Empty title={t(state === null ? "publishing.none" : "publishing.none.state")} />}
      >
        {(item) => <Item publication={item} isUnsaved={drafts.some(({ id }) => id === item.id)} />}
      </PagedList>
    </>
  );
}

interface LineProps {
  publication: PublicationLine;
  /** True if this tab has unsaved input for it. */
  isUnsaved: boolean;
}

const layout = "grid-cols-[minmax(0,1fr)_10rem_7rem_4rem_10rem]";

type ColumnName = "title" | "changed" | "operator" | "version" | "state";

function useColumns(): TableColumn<ColumnName>[] {
  const t = useText();
  return [
    { id: "title", head: t("publishing.field.title"), className: "break-words" },
    { id: "changed", head: t("publishing.column.changed"), className: "text-ink-soft" },
    { id: "operator", head: t("publishing.column.by"), className: "truncate" },
    { id: "version", head: t("publishing.column.version"), end: true },
    { id: "state", head: t("publishing.filter"), end: true },
  ];
}

function TableLine({ publication, isUnsaved }: LineProps) {
  const { formatNumber } = useIntl();
  const t = useText();
  const moment = useFormatDateTime();
  const nameOf = useOperatorName();
  const columns = useColumns();
  const { version, publish_at_ms: publishAtMs } = publication;
  return (
    <TableRow
      layout={layout}
      columns={columns}
      cells={{
        title: publication.title || t("publishing.untitled"),
        changed: moment(publication.changed_at_ms),
        operator: nameOf(publication.changed_by),
        version: version > 0 ? formatNumber(version) : "—",
        state: (
          <>
            <Badges publication={publication} isUnsaved={isUnsaved} />
            {publishAtMs === null ? null : (
              <span className="mt-1 block text-caption text-ink-faint">{moment(publishAtMs)}</span>
            )}
          </>
        ),
      }}
      to={getAddress(publication.kind, publication.id)}
    />
  );
}

function Line({ publication, isUnsaved }: LineProps) {
  const t = useText();
  const moment = useFormatDateTime();
  const nameOf = useOperatorName();
  const facts = [
    publication.version > 0 ? t("publishing.version", { version: publication.version }) : null,
    publication.publish_at_ms === null
      ? t("publishing.line.changed", {
          time: moment(publication.changed_at_ms),
          who: nameOf(publication.changed_by),
        })
      : t("publishing.head.planned", { time: moment(publication.publish_at_ms) }),
  ];
  return (
    <Row
      label={publication.title || t("publishing.untitled")}
      hint={facts.filter((fact) => fact !== null).join(" · ")}
      value={<Badges publication={publication} isUnsaved={isUnsaved} />}
      to={getAddress(publication.kind, publication.id)}
    />
  );
}

function Badges({ publication, isUnsaved }: LineProps) {
  const t = useText();
  return (
    <span className="flex flex-wrap justify-end gap-1.5">
      {isUnsaved ? <Badge tone="warning">{t("publishing.line.unsaved")}</Badge> : null}
      {publication.live && publication.has_draft ? (
        <Badge>{t("publishing.line.draft")}</Badge>
      ) : null}
      {publication.refused.length > 0 ? (
        <Badge tone="warning">{t("publishing.line.refused")}</Badge>
      ) : null}
      <StateBadge state={publication.state} />
    </span>
  );
}
