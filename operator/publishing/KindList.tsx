import { IconPlus } from "@tabler/icons-react";
import { useState } from "react";
import { useIntl } from "react-intl";
import { useNavigate } from "react-router";
import type { PublicationLine } from "#api/operator/publishing.ts";
import type { Kind } from "#core/publishing/bodies.ts";
import { listKept } from "#operator/publishing/draftStorage.ts";
import { useMoment } from "#operator/publishing/forms/labels.ts";
import { useOperatorName } from "#operator/publishing/forms/useNames.ts";
import { callsOf } from "#operator/publishing/kinds.ts";
import { StateBadge } from "#operator/publishing/PublicationStatus.tsx";
import { Badge } from "#ui/Badge.tsx";
import { Button } from "#ui/Button.tsx";
import { Chip } from "#ui/Chip.tsx";
import { Empty } from "#ui/Empty.tsx";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import { Row } from "#ui/Row.tsx";
import { SkeletonRows } from "#ui/Skeleton.tsx";
import { useCall } from "#web/lib/useApiQuery.ts";
import { useSentence } from "#web/lib/useErrorMessage.ts";

const states = ["draft", "scheduled", "published", "withdrawn"] as const;
const pageSize = 25;

const addressOf = (kind: Kind, id: string) => `/operator/publishing?kind=${kind}&id=${id}`;

/** Publications of a kind, newest first, by state; and what was typed in this tab and not saved. */
export function KindList({ kind }: { kind: Kind }) {
  const { formatMessage } = useIntl();
  const navigate = useNavigate();
  const [state, setState] = useState<(typeof states)[number] | null>(null);
  const [page, setPage] = useState<{ page: number; before: string | undefined }>({
    page: 1,
    before: undefined,
  });
  const kept = listKept(kind);
  const text = (id: string) => formatMessage({ id });
  const choose = (next: typeof state) => {
    setState(next);
    setPage({ page: 1, before: undefined });
  };
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-3 px-4 pt-4">
        <p className="max-w-120 text-small text-ink-soft">{text(`publishing.about.${kind}`)}</p>
        <Button
          size="small"
          icon={<IconPlus size={18} aria-hidden="true" />}
          onClick={() =>
            void navigate(`/operator/publishing?kind=${kind}&id=${crypto.randomUUID()}&new=1`)
          }
        >
          {text(`publishing.new.${kind}`)}
        </Button>
      </div>
      <fieldset
        aria-label={text("publishing.filter")}
        className="flex min-w-0 flex-wrap gap-x-2 px-4 pt-3 pb-2"
      >
        <Chip selected={state === null} onClick={() => choose(null)}>
          {text("publishing.filter.all")}
        </Chip>
        {states.map((one) => (
          <Chip key={one} selected={state === one} onClick={() => choose(one)}>
            {text(`publishing.state.${one}`)}
          </Chip>
        ))}
      </fieldset>
      <div className="hairlines border-y border-line">
        {kept
          .filter(({ isNew }) => isNew && (state === null || state === "draft"))
          .map(({ id }) => (
            <Row
              key={id}
              label={text(`publishing.one.${kind}`)}
              hint={text("publishing.line.kept")}
              value={<Badge tone="mind">{text("publishing.line.unsaved")}</Badge>}
              to={`${addressOf(kind, id)}&new=1`}
            />
          ))}
        <Lines kind={kind} state={state} at={page} onPage={setPage} kept={kept} />
      </div>
    </>
  );
}

interface LinesProps {
  kind: Kind;
  state: (typeof states)[number] | null;
  at: { page: number; before: string | undefined };
  onPage: (at: { page: number; before: string | undefined }) => void;
  kept: readonly { id: string }[];
}

function Lines({ kind, state, at, onPage, kept }: LinesProps) {
  const { formatMessage } = useIntl();
  const sentence = useSentence();
  const { data, error, refetch, isFetching } = useCall(
    callsOf(kind).list,
    {
      page: at.page,
      page_size: pageSize,
      ...(state === null ? {} : { state }),
      ...(at.before === undefined ? {} : { before: at.before }),
    },
    { refetchMs: 15_000, staleMs: 0 },
  );
  const text = (id: string) => formatMessage({ id });
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
  const turn = (page: number) => onPage({ page, before: data.before ?? undefined });
  return (
    <>
      {data.items.map((one) => (
        <Line key={one.id} one={one} unsaved={kept.some(({ id }) => id === one.id)} />
      ))}
      {data.items.length === 0 ? (
        <Empty title={text(state === null ? "publishing.none" : "publishing.none.state")} />
      ) : null}
      {at.page > 1 || data.has_more ? (
        <div className="flex justify-between gap-3 p-4">
          <Button
            variant="outline"
            size="small"
            disabled={at.page === 1}
            onClick={() => turn(at.page - 1)}
          >
            {text("console.audit.newer")}
          </Button>
          <Button
            variant="outline"
            size="small"
            disabled={!data.has_more}
            onClick={() => turn(at.page + 1)}
          >
            {text("console.audit.older")}
          </Button>
        </div>
      ) : null}
    </>
  );
}

function Line({ one, unsaved }: { one: PublicationLine; unsaved: boolean }) {
  const { formatMessage } = useIntl();
  const moment = useMoment();
  const nameOf = useOperatorName();
  const say = (id: string, values: Record<string, string | number> = {}) =>
    formatMessage({ id }, values);
  const facts = [
    one.version > 0 ? say("publishing.version", { version: one.version }) : null,
    one.publish_at_ms === null
      ? say("publishing.line.changed", {
          time: moment(one.changed_at_ms),
          who: nameOf(one.changed_by),
        })
      : say("publishing.head.planned", { time: moment(one.publish_at_ms) }),
  ];
  return (
    <Row
      label={one.title || say("publishing.untitled")}
      hint={facts.filter((fact) => fact !== null).join(" · ")}
      value={
        <span className="flex flex-wrap justify-end gap-1.5">
          {unsaved ? <Badge tone="mind">{say("publishing.line.unsaved")}</Badge> : null}
          {one.live && one.has_draft ? <Badge>{say("publishing.line.draft")}</Badge> : null}
          {one.refused.length > 0 ? (
            <Badge tone="mind">{say("publishing.line.refused")}</Badge>
          ) : null}
          <StateBadge state={one.state} />
        </span>
      }
      to={addressOf(one.kind, one.id)}
    />
  );
}
