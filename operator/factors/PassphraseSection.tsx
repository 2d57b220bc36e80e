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

/** Sets, changes or removes the passphrase. */
export function PassphraseSection({ setup }: { setup: Setup }) {
  const { formatDate } = useIntl();
  const t = useText();
  const setting = useFactorChange(setPassphrase, setup);
  const removal = useFactorChange(removePassphrase, setup);
  const [passphrase, setTyped] = useState("");
  const [again, setAgain] = useState("");
  const [isVisible, setShown] = useState(false);
  const [isSubmitted, setTried] = useState(false);
  const { passphrase: current } = setup.factors;
  const range = { min: passphraseMin, max: passphraseMax };
  const wrongLength = parsePassphrase(passphrase) === null;
  const differs = passphrase !== again;
  const submit = async () => {
    setTried(true);
    if (wrongLength || differs) return;
    const input = async () => ({ passphrase: passphrase });
    if (!(await setting.run(input, "console.factor.done"))) return;
    setTyped("");
    setAgain("");
    setTried(false);
  };
  const failure = setting.failure ?? removal.failure;
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
          void submit();
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
          error={isSubmitted && wrongLength ? t("console.factor.phrase.form", range) : undefined}
        >
          <PassphraseInput
            value={passphrase}
            onChange={setTyped}
            shown={isVisible}
            autoComplete="new-password"
          />
        </Field>
        <Field
          label={t("console.factor.phrase.again")}
          error={
            isSubmitted && !wrongLength && differs ? t("console.factor.phrase.differs") : undefined
          }
        >
          <PassphraseInput
            value={again}
            onChange={setAgain}
            shown={isVisible}
            autoComplete="new-password"
          />
        </Field>
        <div className="flex min-h-11 items-center justify-between gap-3 text-small">
          <span aria-hidden="true">{t("console.factor.phrase.show")}</span>
          <Switch checked={isVisible} onChange={setShown} label={t("console.factor.phrase.show")} />
        </div>
        <FailureNote failure={failure} />
        <Button type="submit" block busy={setting.busy}>
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
