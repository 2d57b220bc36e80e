import { useState } from "react";
import type { AnswerOf } from "#api/call.ts";
import type { AnsweredCall } from "#api/client.ts";
import { claim } from "#api/routes/operator/session.ts";
import { parseCode } from "#core/operator/code.ts";
import { nameMax, parseName } from "#core/operator/name.ts";
import { useText } from "#i18n/useText.ts";
import { EntryPage } from "#operator/app/EntryPage.tsx";
import { securityPath } from "#operator/app/useFactors.ts";
import { invalidateMe, mayElevate } from "#operator/app/useOperator.ts";
import { Button } from "#ui/Button.tsx";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import { Field } from "#ui/form/Field.tsx";
import { TextInput } from "#ui/form/TextInput.tsx";
import { useNavigate } from "#ui/router.tsx";
import { endSession } from "#web/features/session/sessionCache.ts";
import { useApiMutation } from "#web/lib/api/useApiMutation.ts";
import { useErrorMessage } from "#web/lib/api/useErrorMessage.ts";

/** For a signed-in person who is not an operator: a one-time code makes them one. */
export function Claim() {
  const t = useText();
  const errorMessage = useErrorMessage();
  const navigate = useNavigate();
  const { send, isBusy, error } = useApiMutation(claim);
  const [code, setCode] = useState("");
  const [name, setName] = useState("");
  const [isSubmitted, setIsSubmitted] = useState(false);
  const codeError = parseCode(code) === null ? t("console.claim.codeForm") : undefined;
  const nameError =
    parseName(name) === null ? t("console.claim.nameForm", { max: nameMax }) : undefined;
  const enter = async ({ data }: AnsweredCall<AnswerOf<typeof claim>>) => {
    // The first thing to do, because nothing can be changed before.
    if (mayElevate(data.operator)) navigate(securityPath);
    await invalidateMe();
  };
  const submit = async () => {
    setIsSubmitted(true);
    if (codeError || nameError) return;
    await send({ code, name }).then(enter, () => undefined);
  };
  return (
    <EntryPage title={t("console.claim.title")}>
      <p className="text-ink-soft">{t("console.claim.text")}</p>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (!isBusy) void submit();
        }}
      >
        <Field
          label={t("console.claim.code")}
          hint={t("console.claim.codeHint")}
          error={isSubmitted ? codeError : undefined}
        >
          <TextInput
            value={code}
            onChange={setCode}
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            className="font-mono"
          />
        </Field>
        <Field
          label={t("console.claim.name")}
          hint={t("console.claim.nameHint")}
          error={isSubmitted ? nameError : undefined}
        >
          <TextInput value={name} onChange={setName} autoComplete="off" />
        </Field>
        {error ? <ErrorNote>{errorMessage(error)}</ErrorNote> : null}
        <Button type="submit" block busy={isBusy}>
          {t("console.claim.do")}
        </Button>
      </form>
      <Button variant="quiet" size="small" onClick={() => void endSession().catch(() => undefined)}>
        {t("console.signOut")}
      </Button>
    </EntryPage>
  );
}
