import { useState } from "react";
import { leave } from "#api/routes/operator/session.ts";
import { useText } from "#i18n/useText.ts";
import { refreshMe } from "#operator/app/useOperator.ts";
import { Button } from "#ui/Button.tsx";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import { Sheet } from "#ui/overlay/Sheet.tsx";
import { Section } from "#ui/Section.tsx";
import { useSend } from "#web/lib/useApiMutation.ts";
import { useSentence } from "#web/lib/useErrorMessage.ts";

/** Stopping being an operator. */
export function Leave() {
  const t = useText();
  const sentence = useSentence();
  const { send, busy, error, reset } = useSend(leave);
  const [open, setOpen] = useState(false);
  return (
    <Section title={t("console.leave.title")} note={t("console.leave.text")} kind="plain">
      <Button
        variant="danger"
        size="small"
        onClick={() => {
          reset();
          setOpen(true);
        }}
      >
        {t("console.leave.do")}
      </Button>
      <Sheet
        open={open}
        onOpenChange={setOpen}
        title={t("console.leave.title")}
        actions={
          <>
            {error ? <ErrorNote>{sentence(error)}</ErrorNote> : null}
            <Button
              block
              variant="danger"
              busy={busy}
              onClick={() => void send({}).then(refreshMe, () => undefined)}
            >
              {t("console.leave.do")}
            </Button>
            <Button block variant="quiet" onClick={() => setOpen(false)}>
              {t("ui.close")}
            </Button>
          </>
        }
      >
        <p>{t("console.leave.sure")}</p>
      </Sheet>
    </Section>
  );
}
