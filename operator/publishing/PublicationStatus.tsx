import { useIntl } from "react-intl";
import { useMoment } from "#operator/publishing/forms/labels.ts";
import { useOperatorName } from "#operator/publishing/forms/useNames.ts";
import { ProblemList } from "#operator/publishing/ProblemList.tsx";
import type { Editor } from "#operator/publishing/useEditor.ts";
import { Badge } from "#ui/Badge.tsx";
import { Button } from "#ui/Button.tsx";

/** A state is no result: its colours do not change places with the language, as those of a rise and a fall do. */
export function StateBadge({ state }: { state: string }) {
  const { formatMessage } = useIntl();
  const word = formatMessage({ id: `publishing.state.${state}` });
  if (state !== "published")
    return <Badge tone={state === "scheduled" ? "mind" : "neutral"}>{word}</Badge>;
  return (
    <span className="inline-flex items-center rounded-[6px] bg-tide-wash px-2 py-0.5 text-caption font-strong whitespace-nowrap text-tide">
      {word}
    </span>
  );
}

/** Where a publication stands, in sentences: what people see now, what comes when, who did it. */
export function Standing({ editor }: { editor: Editor }) {
  const { formatMessage } = useIntl();
  const moment = useMoment();
  const nameOf = useOperatorName();
  const { publication, undo, gone } = editor;
  const say = (id: string, values: Record<string, string | number> = {}) =>
    formatMessage({ id }, values);
  const lines: string[] = [];
  if (gone) lines.push(say("publishing.gone"));
  else if (!publication) lines.push(say("publishing.head.new"));
  else {
    const { live, version, published_at_ms: atMs, published_by: by } = publication;
    if (live && atMs !== null)
      lines.push(
        say("publishing.head.live", { version, time: moment(atMs), who: nameOf(by ?? "software") }),
      );
    else lines.push(say(version === 0 ? "publishing.head.never" : "publishing.head.withdrawn"));
    const due = publication.publish_at_ms;
    if (due !== null)
      lines.push(
        editor.comingOut
          ? say("publishing.head.coming")
          : say("publishing.head.planned", { time: moment(due) }),
      );
    else if (live && publication.has_draft) lines.push(say("publishing.head.draft"));
    if (!live || publication.changed_at_ms !== atMs)
      lines.push(
        say("publishing.head.changed", {
          time: moment(publication.changed_at_ms),
          who: nameOf(publication.changed_by),
        }),
      );
  }
  return (
    <div className="flex flex-col gap-3 px-4 pt-2">
      <p className="max-w-160 text-small text-ink-soft" aria-live="polite">
        {lines.join(" ")}
      </p>
      {publication ? (
        <ProblemList title={say("publishing.head.refused")} problems={publication.refused} />
      ) : null}
      {undo ? (
        <output className="flex flex-wrap items-center gap-3 rounded-dock bg-well px-4 py-1.5 text-small">
          <span className="min-w-0 flex-1">{say("publishing.undo.text")}</span>
          <Button variant="quiet" size="small" onClick={editor.bringBack}>
            {say("publishing.undo")}
          </Button>
        </output>
      ) : null}
    </div>
  );
}
