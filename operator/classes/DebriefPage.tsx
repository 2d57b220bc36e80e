import { useState } from "react";
import type { ClassDebrief } from "#api/operator/debrief.ts";
import { openDebrief } from "#api/routes/operator/debrief.ts";
import { useText } from "#i18n/useText.ts";
import { ConsolePage } from "#operator/app/ConsolePage.tsx";
import { useOperatorMutation } from "#operator/app/useOperatorMutation.ts";
import { DebriefSteps } from "#operator/classes/DebriefSteps.tsx";
import { Button } from "#ui/Button.tsx";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import { useSearchParams } from "#ui/router.tsx";
import { useErrorMessage } from "#web/lib/api/useErrorMessage.ts";

/**
 * A class's figures for the projector. Nothing is read before the button is pressed, and that is
 * logged.
 */
export default function DebriefPage() {
  const t = useText();
  const errorMessage = useErrorMessage();
  const [query] = useSearchParams();
  const classId = query.get("class") ?? "";
  const { send, isBusy, error } = useOperatorMutation(openDebrief);
  const [debrief, setDebrief] = useState<ClassDebrief | null>(null);
  const open = (recount: boolean) =>
    void send({ class_id: classId, recount })
      .then(({ data }) => setDebrief(data))
      .catch(() => undefined);
  const note = error ? <ErrorNote>{errorMessage(error)}</ErrorNote> : null;
  if (debrief) {
    return (
      <DebriefSteps debrief={debrief} busy={isBusy} note={note} onRecount={() => open(true)} />
    );
  }
  return (
    <ConsolePage title={t("debrief.title")} lead={t("debrief.lead")}>
      <div className="flex max-w-160 flex-col items-start gap-4 px-4 pt-4">
        <p className="text-small text-ink-soft">{t("debrief.start")}</p>
        {note}
        <Button busy={isBusy} onClick={() => open(false)}>
          {t("debrief.open")}
        </Button>
      </div>
    </ConsolePage>
  );
}
