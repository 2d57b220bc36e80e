import { useState } from "react";
import type { Kind } from "#core/publishing/bodies.ts";
import { useText } from "#i18n/useText.ts";
import { useMayChange } from "#operator/app/useOperator.ts";
import { getPermission, isText } from "#operator/publishing/kinds.ts";
import { PublishSheet } from "#operator/publishing/PublishSheet.tsx";
import type { Editor } from "#operator/publishing/useEditor.ts";
import type { PublishingProblems } from "#operator/publishing/usePreview.ts";
import { Button } from "#ui/Button.tsx";
import { buttonClass } from "#ui/buttonClass.ts";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import { Dialog } from "#ui/overlay/Dialog.tsx";
import { toast } from "#ui/overlay/toast.ts";
import { Link } from "#ui/router.tsx";
import { useErrorMessage } from "#web/lib/api/useErrorMessage.ts";

interface Props {
  kind: Kind;
  editor: Editor;
  problems: PublishingProblems;
}

/** The actions available for a publication, always visible at the bottom. */
export function ActionBar({ kind, editor, problems }: Props) {
  const t = useText();
  const errorMessage = useErrorMessage();
  const mayChange = useMayChange(getPermission(kind));
  const [publishing, setPublishing] = useState(false);
  const [withdrawing, setWithdrawing] = useState(false);
  const { publication, dirty, untouched, busy, failure } = editor;
  // A product's defaults can be saved as they are; an empty text cannot.
  const isBlank = untouched && isText(kind);
  if (!mayChange) return null;
  const run = (work: Promise<boolean>, id: string) =>
    void work.then((isDone) => {
      if (isDone) toast(t(id));
    });
  const isScheduled = publication?.state === "scheduled";
  const canPublish = dirty || publication?.has_draft === true || publication?.live === false;
  return (
    <div className="sticky bottom-0 z-10 mt-8 border-t border-line bg-paper pb-[env(safe-area-inset-bottom)]">
      {failure && !publishing && !withdrawing ? (
        <div className="px-4 pt-3">
          <ErrorNote>
            {errorMessage(failure)}
            {failure.error === "publishing.subject_taken" && failure.data?.id ? (
              <Link
                to={`/operator/publishing?kind=${kind}&id=${failure.data.id}`}
                className={buttonClass({ variant: "quiet", size: "small" })}
              >
                {t("publishing.taken.open")}
              </Link>
            ) : null}
          </ErrorNote>
        </div>
      ) : null}
      <div className="flex flex-wrap items-center gap-2 px-4 py-3">
        <Button
          variant="outline"
          size="small"
          busy={busy}
          disabled={!dirty || isBlank}
          onClick={() => run(editor.save(), "publishing.saved")}
        >
          {t("publishing.save")}
        </Button>
        <Button
          size="small"
          disabled={busy || !canPublish || isBlank || editor.remote !== null}
          onClick={() => setPublishing(true)}
        >
          {t("publishing.publish.open")}
        </Button>
        {isScheduled ? (
          <Button
            variant="quiet"
            size="small"
            disabled={busy}
            onClick={() => run(editor.unschedule(), "publishing.unscheduled")}
          >
            {t("publishing.unschedule")}
          </Button>
        ) : null}
        {publication?.has_draft ? (
          <Button
            variant="quiet"
            size="small"
            disabled={busy}
            onClick={() => void editor.discard()}
          >
            {t("publishing.discard")}
          </Button>
        ) : null}
        {publication?.live ? (
          <Button variant="quiet" size="small" disabled={busy} onClick={() => setWithdrawing(true)}>
            {t("publishing.withdraw")}
          </Button>
        ) : null}
        <span className="text-caption text-ink-faint" aria-live="polite">
          {dirty && !untouched ? t("publishing.unsaved") : null}
        </span>
      </div>
      <PublishSheet
        kind={kind}
        editor={editor}
        problems={problems}
        isOpen={publishing}
        onClose={() => setPublishing(false)}
      />
      <Dialog
        open={withdrawing}
        onOpenChange={setWithdrawing}
        title={t("publishing.withdraw.title")}
        actions={
          <>
            <Button variant="outline" size="small" onClick={() => setWithdrawing(false)}>
              {t("publishing.withdraw.stay")}
            </Button>
            <Button
              variant="danger"
              size="small"
              busy={busy}
              onClick={() => {
                setWithdrawing(false);
                run(editor.withdraw(), "publishing.withdrawn");
              }}
            >
              {t("publishing.withdraw")}
            </Button>
          </>
        }
      >
        {t(isText(kind) ? "publishing.withdraw.text" : `publishing.withdraw.${kind}`)}
      </Dialog>
    </div>
  );
}
