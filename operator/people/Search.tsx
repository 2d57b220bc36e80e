import { useState } from "react";
import { openViewing } from "#api/routes/operator/people.ts";
import { parseViewCode } from "#core/operator/viewing.ts";
import { useText } from "#i18n/useText.ts";
import { ConsolePage } from "#operator/app/ConsolePage.tsx";
import { useMayChange } from "#operator/app/useOperator.ts";
import { useOperatorMutation } from "#operator/app/useOperatorMutation.ts";
import { Button } from "#ui/Button.tsx";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import { Field } from "#ui/form/Field.tsx";
import { TextInput } from "#ui/form/TextInput.tsx";
import { useNavigate } from "#ui/router.tsx";
import { Section } from "#ui/Section.tsx";
import { useErrorMessage } from "#web/lib/api/useErrorMessage.ts";

/**
 * The two ways to find a person: the code they read out, or their opaque id. There is no list of
 * people and no search by name.
 */
export function Search() {
  const t = useText();
  const mayView = useMayChange("people.view");
  return (
    <ConsolePage title={t("people.title")} lead={t("people.lead")}>
      <div className="grid grid-cols-1 gap-x-8 wide:grid-cols-2">
        {mayView ? (
          <Section title={t("people.byCode")} note={t("people.byCode.note")} kind="plain">
            <ByCode />
          </Section>
        ) : null}
        <Section
          title={t("people.byId")}
          note={t("people.byId.note")}
          kind="plain"
          className="wide:first:mt-4 wide:mt-4"
        >
          <ById />
        </Section>
      </div>
    </ConsolePage>
  );
}

export function ByCode() {
  const t = useText();
  const errorMessage = useErrorMessage();
  const navigate = useNavigate();
  const { send, isBusy, error } = useOperatorMutation(openViewing);
  const [code, setCode] = useState("");
  const [isSubmitted, setIsSubmitted] = useState(false);
  const isMalformed = parseViewCode(code) === null;
  const open = async () => {
    setIsSubmitted(true);
    if (isMalformed) return;
    const { data } = await send({ code });
    navigate(`/operator/people?viewing=${data.viewing_id}`);
  };
  return (
    <form
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isBusy) void open().catch(() => undefined);
      }}
    >
      <Field
        label={t("people.code")}
        hint={t("people.code.hint")}
        error={isSubmitted && isMalformed ? t("people.code.form") : undefined}
      >
        <TextInput
          value={code}
          onChange={setCode}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          maxLength={20}
          className="font-mono tracking-widest uppercase"
        />
      </Field>
      {error ? <ErrorNote>{errorMessage(error)}</ErrorNote> : null}
      <Button type="submit" block busy={isBusy}>
        {t("people.code.open")}
      </Button>
    </form>
  );
}

function ById() {
  const t = useText();
  const navigate = useNavigate();
  const [id, setId] = useState("");
  const [isSubmitted, setIsSubmitted] = useState(false);
  const trimmedId = id.trim();
  const find = () => {
    setIsSubmitted(true);
    if (trimmedId !== "") navigate(`/operator/people?user=${encodeURIComponent(trimmedId)}`);
  };
  return (
    <form
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        find();
      }}
    >
      <Field
        label={t("people.id")}
        hint={t("people.id.hint")}
        error={isSubmitted && trimmedId === "" ? t("people.id.form") : undefined}
      >
        <TextInput
          value={id}
          onChange={setId}
          autoComplete="off"
          spellCheck={false}
          maxLength={64}
        />
      </Field>
      <Button type="submit" block variant="outline">
        {t("people.id.find")}
      </Button>
    </form>
  );
}
