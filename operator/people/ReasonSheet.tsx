import { type ReactNode, useState } from "react";
import type { ApiError } from "#api/client.ts";
import { useText } from "#i18n/useText.ts";
import { Button } from "#ui/Button.tsx";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import { Field } from "#ui/form/Field.tsx";
import { TextInput } from "#ui/form/TextInput.tsx";
import { Sheet } from "#ui/overlay/Sheet.tsx";
import { toast } from "#ui/overlay/toast.ts";
import { useErrorMessage } from "#web/lib/api/useErrorMessage.ts";

export interface ReasonSheetProps {
  isOpen: boolean;
  onClose: () => void;
  title: string;
  /** The action's effects on the person, and its limits. */
  text: ReactNode;
  /** The verb on the button. */
  verb: string;
  isDangerous?: boolean;
  /** Message shown on success. */
  successMessage: string;
  busy: boolean;
  error: ApiError | null;
  run: (reason: string) => Promise<unknown>;
  /** Shown between the text and the reason. */
  children?: ReactNode;
}

/**
 * An action on a person: what it means, the reason that they will read, and the button. Input is
 * kept when it fails.
 */
export function ReasonSheet(props: ReasonSheetProps) {
  const {
    isOpen,
    onClose,
    title,
    text,
    verb,
    isDangerous,
    successMessage,
    busy,
    error,
    run,
    children,
  } = props;
  const t = useText();
  const errorMessage = useErrorMessage();
  const [reason, setReason] = useState("");
  const [isSubmitted, setIsSubmitted] = useState(false);
  const isReasonMissing = reason.trim() === "";
  const go = async () => {
    setIsSubmitted(true);
    if (isReasonMissing || busy) return;
    await run(reason.trim());
    toast(successMessage);
    setReason("");
    setIsSubmitted(false);
    onClose();
  };
  // The sheet itself shows why it failed; a declined elevation needs no message.
  const submit = () => void go().catch(() => undefined);
  return (
    <Sheet
      open={isOpen}
      onOpenChange={(next) => {
        if (!next) onClose();
      }}
      title={title}
      actions={
        <>
          {error ? <ErrorNote>{errorMessage(error)}</ErrorNote> : null}
          <Button block variant={isDangerous ? "danger" : "primary"} busy={busy} onClick={submit}>
            {verb}
          </Button>
        </>
      }
    >
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <div className="text-ink-soft">{text}</div>
        {children}
        <Field
          label={t("console.change.why")}
          hint={t("console.change.whyHint")}
          error={isSubmitted && isReasonMissing ? t("console.change.whyForm") : undefined}
        >
          <TextInput value={reason} onChange={setReason} maxLength={500} autoComplete="off" />
        </Field>
      </form>
    </Sheet>
  );
}
