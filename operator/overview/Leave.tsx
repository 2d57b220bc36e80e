import { useState } from "react";
import { useIntl } from "react-intl";
import { leave } from "#api/routes/operator/session.ts";
import { refreshMe } from "#operator/app/useOperator.ts";
import { Button } from "#ui/Button.tsx";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import { Sheet } from "#ui/overlay/Sheet.tsx";
import { Section } from "#ui/Section.tsx";
import { useSend } from "#web/lib/useApiMutation.ts";
import { useSentence } from "#web/lib/useErrorMessage.ts";

/** Stopping being an operator. */
export function Leave() {
  const { formatMessage } = useIntl();
  const sentence = useSentence();
  const { send, busy, error, reset } = useSend(leave);
  const [open, setOpen] = useState(false);
  const text = (id: string) => formatMessage({ id });
  return (
    <Section title={text("console.leave.title")} note={text("console.leave.text")} kind="plain">
      <Button
        variant="danger"
        size="small"
        onClick={() => {
          reset();
          setOpen(true);
        }}
      >
        {text("console.leave.do")}
      </Button>
      <Sheet
        open={open}
        onOpenChange={setOpen}
        title={text("console.leave.title")}
        actions={
          <>
            {error ? <ErrorNote>{sentence(error)}</ErrorNote> : null}
            <Button
              block
              variant="danger"
              busy={busy}
              onClick={() => void send({}).then(refreshMe, () => undefined)}
            >
              {text("console.leave.do")}
            </Button>
            <Button block variant="quiet" onClick={() => setOpen(false)}>
              {text("ui.close")}
            </Button>
          </>
        }
      >
        <p>{text("console.leave.sure")}</p>
      </Sheet>
    </Section>
  );
}
