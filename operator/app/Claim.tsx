import { useState } from "react";
import { useIntl } from "react-intl";
import { claim } from "#api/routes/operator/session.ts";
import { readCode } from "#core/operator/code.ts";
import { nameMax, readName } from "#core/operator/name.ts";
import { Gate } from "#operator/app/EntryPage.tsx";
import { refreshMe } from "#operator/app/useOperator.ts";
import { Button } from "#ui/Button.tsx";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import { Field } from "#ui/form/Field.tsx";
import { TextInput } from "#ui/form/TextInput.tsx";
import { endSession } from "#web/features/session/sessionCache.ts";
import { useSend } from "#web/lib/useApiMutation.ts";
import { useSentence } from "#web/lib/useErrorMessage.ts";

/** Somebody signed in who is no operator: a one-time code makes them one. */
export function Claim() {
  const { formatMessage } = useIntl();
  const sentence = useSentence();
  const { send, busy, error } = useSend(claim);
  const [code, setCode] = useState("");
  const [name, setName] = useState("");
  const [tried, setTried] = useState(false);
  const text = (id: string) => formatMessage({ id });
  const codeFault = readCode(code) === null ? text("console.claim.codeForm") : undefined;
  const nameFault =
    readName(name) === null
      ? formatMessage({ id: "console.claim.nameForm" }, { max: nameMax })
      : undefined;
  const submit = async () => {
    setTried(true);
    if (codeFault || nameFault) return;
    await send({ code, name }).then(refreshMe, () => undefined);
  };
  return (
    <Gate title={text("console.claim.title")}>
      <p className="text-ink-soft">{text("console.claim.text")}</p>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (!busy) void submit();
        }}
      >
        <Field
          label={text("console.claim.code")}
          hint={text("console.claim.codeHint")}
          error={tried ? codeFault : undefined}
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
          label={text("console.claim.name")}
          hint={text("console.claim.nameHint")}
          error={tried ? nameFault : undefined}
        >
          <TextInput value={name} onChange={setName} autoComplete="off" />
        </Field>
        {error ? <ErrorNote>{sentence(error)}</ErrorNote> : null}
        <Button type="submit" block busy={busy}>
          {text("console.claim.do")}
        </Button>
      </form>
      <Button variant="quiet" size="small" onClick={() => void endSession().catch(() => undefined)}>
        {text("console.signOut")}
      </Button>
    </Gate>
  );
}
