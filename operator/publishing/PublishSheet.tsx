import { useState } from "react";
import { hourMs } from "#core/money/time.ts";
import type { Kind } from "#core/publishing/bodies.ts";
import { useText } from "#i18n/useText.ts";
import { useElevationOpen } from "#operator/app/elevate.ts";
import { Differences } from "#operator/publishing/Differences.tsx";
import { TimeField, ZoneNote } from "#operator/publishing/forms/TimeField.tsx";
import { houseSeed, isText } from "#operator/publishing/kinds.ts";
import { ProblemList } from "#operator/publishing/ProblemList.tsx";
import type { Editor } from "#operator/publishing/useEditor.ts";
import type { PublishingProblems } from "#operator/publishing/usePreview.ts";
import { Button } from "#ui/Button.tsx";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import { Segmented } from "#ui/form/Segmented.tsx";
import { Sheet } from "#ui/overlay/Sheet.tsx";
import { toast } from "#ui/overlay/toast.ts";
import { useErrorMessage } from "#web/lib/api/useErrorMessage.ts";

interface Props {
  kind: Kind;
  editor: Editor;
  problems: PublishingProblems;
  isOpen: boolean;
  onClose: () => void;
}

/** A full hour at least one hour ahead. */
const laterHour = () => Math.ceil(Date.now() / hourMs + 1) * hourMs;

/** The final review before publishing: what changes, what happens to open positions, and when. */
export function PublishSheet({ kind, editor, problems, isOpen, onClose }: Props) {
  const t = useText();
  const errorMessage = useErrorMessage();
  const elevating = useElevationOpen();
  const [timing, setTiming] = useState<"now" | "at">("now");
  const [atMs, setAtMs] = useState<number | null>(null);
  const [wasOpen, setWasOpen] = useState(isOpen);
  if (isOpen !== wasOpen) {
    setWasOpen(isOpen);
    if (isOpen) {
      setTiming("now");
      setAtMs(laterHour());
    }
  }
  const { publication, form } = editor;
  const publish = async () => {
    if (!(await editor.publish(timing === "now" ? null : atMs))) return;
    toast(t(timing === "now" ? "publishing.publish.coming" : "publishing.publish.planned"));
    onClose();
  };
  const isBlocked = problems.length > 0;
  return (
    <Sheet
      // During elevation its own sheet is shown alone; the input here is kept.
      open={isOpen && !elevating}
      onOpenChange={(next) => {
        if (!next) onClose();
      }}
      title={t("publishing.publish.open")}
      actions={
        <>
          {editor.failure ? <ErrorNote>{errorMessage(editor.failure)}</ErrorNote> : null}
          <Button
            block
            busy={editor.busy}
            disabled={isBlocked || (timing === "at" && atMs === null)}
            onClick={() => void publish()}
          >
            {t(timing === "now" ? "publishing.publish.now" : "publishing.publish.plan")}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-5">
        <ProblemList title={t("publishing.publish.blocked")} problems={problems} />
        <section className="flex flex-col gap-2">
          <h3 className="font-strong">{t("publishing.publish.changes")}</h3>
          {publication?.live ? null : (
            <p className="text-small text-ink-soft">{t("publishing.publish.first")}</p>
          )}
          <Differences
            before={publication?.live ? publication.published : null}
            after={form?.body ?? null}
          />
        </section>
        <section className="flex flex-col gap-2">
          {isText(kind) ? null : <h3 className="font-strong">{t("publishing.publish.becomes")}</h3>}
          <p className="text-small">{t(`publishing.effect.${kind}`, { seed: houseSeed })}</p>
        </section>
        <section className="flex flex-col gap-3">
          <h3 className="font-strong">{t("publishing.publish.when")}</h3>
          <Segmented
            label={t("publishing.publish.when")}
            value={timing}
            onChange={setTiming}
            options={[
              { value: "now", label: t("publishing.when.now") },
              { value: "at", label: t("publishing.when.at") },
            ]}
          />
          {timing === "at" ? (
            <>
              <TimeField
                label={t("publishing.when.time")}
                value={atMs}
                onChange={setAtMs}
                error={atMs === null ? t("publishing.when.pick") : undefined}
              />
              <ZoneNote />
            </>
          ) : null}
        </section>
      </div>
    </Sheet>
  );
}
