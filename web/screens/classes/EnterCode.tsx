import { useState } from "react";
import type { ApiError } from "#api/client.ts";
import { formatPrintedCode, parseClassCode } from "#core/invites/code.ts";
import { useText } from "#i18n/useText.ts";
import { Button } from "#ui/Button.tsx";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import { Field } from "#ui/form/Field.tsx";
import { TextInput } from "#ui/form/TextInput.tsx";
import { useErrorMessage } from "#web/lib/api/useErrorMessage.ts";

interface Props {
  /** The code that was scanned, or typed before. */
  code: string | null;
  busy: boolean;
  /** Why `code` cannot be used. */
  error: ApiError | null;
  onCode: (code: string) => void;
}

/** The input for the code of a slip. */
export function EnterCode({ code, busy, error, onCode }: Props) {
  const t = useText();
  const errorMessage = useErrorMessage();
  const [text, setText] = useState(code === null ? "" : formatPrintedCode(code));
  const [isMalformed, setIsMalformed] = useState(false);
  const submit = () => {
    const classCode = parseClassCode(text);
    if (classCode === null) setIsMalformed(true);
    else onCode(classCode);
  };
  return (
    <form
      className="flex flex-col gap-4 px-4 pt-2"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <p>{t("class-room.enter.text")}</p>
      <Field
        label={t("class-room.code")}
        hint={t("class-room.code.hint")}
        error={isMalformed ? t("class-room.code.form") : undefined}
      >
        <TextInput
          value={text}
          onChange={(next) => {
            setIsMalformed(false);
            setText(next);
          }}
          maxLength={24}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          translate="no"
          className="font-mono tracking-wide"
        />
      </Field>
      {error ? <ErrorNote>{errorMessage(error)}</ErrorNote> : null}
      <Button type="submit" block busy={busy}>
        {t("class-room.code.next")}
      </Button>
    </form>
  );
}
