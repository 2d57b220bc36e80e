import { useText } from "#i18n/useText.ts";
import { useFormatDateTime } from "#operator/publishing/forms/labels.ts";
import { useOperatorName } from "#operator/publishing/forms/useOperatorName.ts";
import { ProblemList } from "#operator/publishing/ProblemList.tsx";
import type { Editor } from "#operator/publishing/useEditor.ts";
import { Badge } from "#ui/Badge.tsx";
import { Button } from "#ui/Button.tsx";

/** A state is neither gain nor loss, so its colours do not swap with the language as those do. */
export function StateBadge({ state }: { state: string }) {
  const t = useText();
  const word = t(`publishing.state.${state}`);
  if (state !== "published")
    return <Badge tone={state === "scheduled" ? "warning" : "neutral"}>{word}</Badge>;
  return (
    <span className="inline-flex items-center rounded-[6px] bg-tide-wash px-2 py-0.5 text-caption font-strong whitespace-nowrap text-tide">
      {word}
    </span>
  );
}

/** The status of a publication in sentences: what people see now, what is scheduled, who did it. */
export function PublicationStatus({ editor }: { editor: Editor }) {
  const t = useText();
  const moment = useFormatDateTime();
  const nameOf = useOperatorName();
  const { publication, undo, gone } = editor;
  const lines: string[] = [];
  if (gone) lines.push(t("publishing.gone"));
  else if (!publication) lines.push(t("publishing.head.new"));
  else {
    const { live, version, published_at_ms: atMs, published_by: by } = publication;
    if (live && atMs !== null)
      lines.push(
        t("publishing.head.live", { version, time: moment(atMs), who: nameOf(by ?? "software") }),
      );
    else lines.push(t(version === 0 ? "publishing.head.never" : "publishing.head.withdrawn"));
    const dueMs = publication.publish_at_ms;
    if (dueMs !== null)
      lines.push(
        editor.isDue
          ? t("publishing.head.coming")
          : t("publishing.head.planned", { time: moment(dueMs) }),
      );
    else if (live && publication.has_draft) lines.push(t("publishing.head.draft"));
    if (!live || publication.changed_at_ms !== atMs)
      lines.push(
        t("publishing.head.changed", {
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
        <ProblemList title={t("publishing.head.refused")} problems={publication.refused} />
      ) : null}
      {undo ? (
        <output className="flex flex-wrap items-center gap-3 rounded-dock bg-well px-4 py-1.5 text-small">
          <span className="min-w-0 flex-1">{t("publishing.undo.text")}</span>
          <Button variant="quiet" size="small" onClick={editor.bringBack}>
            {t("publishing.undo")}
          </Button>
        </output>
      ) : null}
    </div>
  );
}
