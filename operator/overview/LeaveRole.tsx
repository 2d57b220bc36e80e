import { useState } from "react";
import { leave } from "#api/routes/operator/session.ts";
import { useText } from "#i18n/useText.ts";
import { invalidateMe } from "#operator/app/useOperator.ts";
import { Button } from "#ui/Button.tsx";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import { Sheet } from "#ui/overlay/Sheet.tsx";
import { Section } from "#ui/Section.tsx";
import { useApiMutation } from "#web/lib/api/useApiMutation.ts";
import { useErrorMessage } from "#web/lib/api/useErrorMessage.ts";

/** Lets an operator give up their role. */
export function LeaveRole() {
  const t = useText();
  const errorMessage = useErrorMessage();
  const { send, isBusy, error, reset } = useApiMutation(leave);
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
            {error ? <ErrorNote>{errorMessage(error)}</ErrorNote> : null}
            <Button
              block
              variant="danger"
              busy={isBusy}
              onClick={() => void send({}).then(invalidateMe, () => undefined)}
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
