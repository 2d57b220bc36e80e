import { useState } from "react";
import { unlockBackup } from "#api/routes/operator/classRoom.ts";
import { codesMax } from "#core/classes/limits.ts";
import { useText } from "#i18n/useText.ts";
import { useOperatorMutation } from "#operator/app/useOperatorMutation.ts";
import { Button } from "#ui/Button.tsx";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import { Field } from "#ui/form/Field.tsx";
import { TextInput } from "#ui/form/TextInput.tsx";
import { toast } from "#ui/overlay/toast.ts";
import { Section } from "#ui/Section.tsx";
import { useErrorMessage } from "#web/lib/api/useErrorMessage.ts";

/**
 * Allows a pupil five more attempts at the PIN of their backup, by the number that they read out.
 */
export function UnlockSection({ classId }: { classId: string }) {
  const t = useText();
  const errorMessage = useErrorMessage();
  const { send, isBusy, error } = useOperatorMutation(unlockBackup);
  const [text, setText] = useState("");
  const [wasTried, setWasTried] = useState(false);
  const number = /^\d{1,2}$/.test(text.trim()) ? Number(text) : 0;
  const isNumber = number >= 1 && number <= codesMax;
  const unlock = async () => {
    setWasTried(true);
    if (isBusy || !isNumber) return;
    await send({ class_id: classId, number });
    toast(t("classes.unlock.done"));
    setText("");
    setWasTried(false);
  };
  return (
    <Section title={t("classes.unlock")} note={t("classes.unlock.text")} kind="plain">
      <form
        className="flex flex-col items-start gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          void unlock().catch(() => undefined);
        }}
      >
        <Field
          label={t("classes.unlock.number")}
          error={
            wasTried && !isNumber ? t("classes.codes.count.form", { max: codesMax }) : undefined
          }
        >
          <TextInput
            value={text}
            onChange={setText}
            inputMode="numeric"
            autoComplete="off"
            maxLength={2}
          />
        </Field>
        {error ? <ErrorNote>{errorMessage(error)}</ErrorNote> : null}
        <Button type="submit" size="small" variant="outline" busy={isBusy}>
          {t("classes.unlock.do")}
        </Button>
      </form>
    </Section>
  );
}
