import { useState } from "react";
import { useIntl } from "react-intl";
import { removePassphrase, setPassphrase } from "#api/routes/operator/factors.ts";
import { parsePassphrase, passphraseMax, passphraseMin } from "#core/operator/passphrase.ts";
import { useText } from "#i18n/useText.ts";
import { FailureNote } from "#operator/app/FailureNote.tsx";
import { PassphraseInput } from "#operator/app/PassphraseInput.tsx";
import { type Setup, useFactorChange } from "#operator/factors/useFactorChange.ts";
import { Button } from "#ui/Button.tsx";
import { Field } from "#ui/form/Field.tsx";
import { Switch } from "#ui/form/Switch.tsx";
import { Section } from "#ui/Section.tsx";

/** The two inputs of a new passphrase, and the call that sets it. */
function usePassphraseForm(setup: Setup) {
  const { run, busy, failure } = useFactorChange(setPassphrase, setup);
  const [newPassphrase, setNewPassphrase] = useState("");
  const [repeatedPassphrase, setRepeatedPassphrase] = useState("");
  const [isSubmitted, setIsSubmitted] = useState(false);
  const isLengthWrong = parsePassphrase(newPassphrase) === null;
  const isDifferent = newPassphrase !== repeatedPassphrase;
  const submit = async () => {
    setIsSubmitted(true);
    if (isLengthWrong || isDifferent) return;
    if (!(await run(async () => ({ passphrase: newPassphrase }), "console.factor.done"))) return;
    setNewPassphrase("");
    setRepeatedPassphrase("");
    setIsSubmitted(false);
  };
  return {
    first: { value: newPassphrase, onChange: setNewPassphrase },
    second: { value: repeatedPassphrase, onChange: setRepeatedPassphrase },
    lengthError: isSubmitted && isLengthWrong,
    differenceError: isSubmitted && !isLengthWrong && isDifferent,
    submit,
    busy,
    failure,
  };
}

/** Sets, changes or removes the passphrase. */
export function PassphraseSection({ setup }: { setup: Setup }) {
  const { formatDate } = useIntl();
  const t = useText();
  const form = usePassphraseForm(setup);
  const removal = useFactorChange(removePassphrase, setup);
  const [visible, setVisible] = useState(false);
  const { passphrase: current } = setup.factors;
  const range = { min: passphraseMin, max: passphraseMax };
  return (
    <Section
      title={t("console.factor.phrase.title")}
      note={t("console.factor.phrase.text")}
      kind="plain"
    >
      <form
        className="flex max-w-120 flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          void form.submit();
        }}
      >
        {current ? (
          <p className="text-small">
            {t("console.factor.phrase.since", {
              date: formatDate(current.set_at_ms, { dateStyle: "medium" }),
            })}
          </p>
        ) : null}
        <Field
          label={t("console.factor.phrase.title")}
          hint={t("console.factor.phrase.hint", range)}
          error={form.lengthError ? t("console.factor.phrase.form", range) : undefined}
        >
          <PassphraseInput {...form.first} isShown={visible} autoComplete="new-password" />
        </Field>
        <Field
          label={t("console.factor.phrase.again")}
          error={form.differenceError ? t("console.factor.phrase.differs") : undefined}
        >
          <PassphraseInput {...form.second} isShown={visible} autoComplete="new-password" />
        </Field>
        <div className="flex min-h-11 items-center justify-between gap-3 text-small">
          <span aria-hidden="true">{t("console.factor.phrase.show")}</span>
          <Switch checked={visible} onChange={setVisible} label={t("console.factor.phrase.show")} />
        </div>
        <FailureNote failure={form.failure ?? removal.failure} />
        <Button type="submit" block busy={form.busy}>
          {t(current ? "console.factor.phrase.change" : "console.factor.phrase.set")}
        </Button>
        {current && setup.factors.keys.length > 1 ? (
          <Button
            block
            variant="quiet"
            busy={removal.busy}
            onClick={() => void removal.run(async () => ({}), "console.factor.removed")}
          >
            {t("console.factor.phrase.remove")}
          </Button>
        ) : null}
      </form>
    </Section>
  );
}
