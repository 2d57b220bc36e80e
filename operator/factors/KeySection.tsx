import { useState } from "react";
import { useIntl } from "react-intl";
import type { SecurityKeyView } from "#api/operator/factors.ts";
import { addKey, getKeyChallenge, removeKey } from "#api/routes/operator/factors.ts";
import { nameMax, parseName } from "#core/operator/name.ts";
import { useText } from "#i18n/useText.ts";
import { FailureNote } from "#operator/app/FailureNote.tsx";
import { createKey, supportsKeys } from "#operator/app/securityKey.ts";
import { type Setup, useFactorChange } from "#operator/factors/useFactorChange.ts";
import { Button } from "#ui/Button.tsx";
import { Field } from "#ui/form/Field.tsx";
import { TextInput } from "#ui/form/TextInput.tsx";
import { Row } from "#ui/Row.tsx";
import { Section } from "#ui/Section.tsx";
import { client } from "#web/lib/api/client.ts";

/** The operator's security keys, and registering another one where the browser allows it. */
export function KeySection({ setup }: { setup: Setup }) {
  const t = useText();
  const { keys, ready, rp_id: rpId } = setup.factors;
  const note =
    rpId === null
      ? t("console.factor.key.nowhere")
      : supportsKeys()
        ? t("console.factor.key.text", { host: rpId })
        : t("console.factor.key.unsupported");
  return (
    <Section title={t("console.factor.key.title")} note={note} kind="plain">
      {keys.length > 0 ? <Keys keys={keys} setup={setup} /> : null}
      {keys.length > 0 && !ready ? (
        <p className="mt-3 max-w-160 text-small text-warning">{t("console.factor.key.oneMore")}</p>
      ) : null}
      {rpId !== null && supportsKeys() ? <NewKey setup={setup} /> : null}
    </Section>
  );
}

function Keys({ keys, setup }: { keys: SecurityKeyView[]; setup: Setup }) {
  const { formatDate } = useIntl();
  const t = useText();
  const { run, busy, failure } = useFactorChange(removeKey, setup);
  const [chosenKey, setChosenKey] = useState("");
  const date = (ms: number) => formatDate(ms, { dateStyle: "medium" });
  const formatDates = ({ created_at_ms: addedAtMs, last_used_at_ms: usedAtMs }: SecurityKeyView) =>
    usedAtMs === null
      ? t("console.factor.key.unused", { added: date(addedAtMs) })
      : t("console.factor.key.dates", { added: date(addedAtMs), used: date(usedAtMs) });
  const remove = (id: string) => {
    setChosenKey(id);
    void run(async () => ({ key_id: id }), "console.factor.removed");
  };
  return (
    <>
      <div className="hairlines -mx-4 border-y border-line">
        {keys.map((key) => (
          <Row
            key={key.key_id}
            label={key.name ?? key.key_id.slice(0, 8)}
            hint={
              <>
                {formatDates(key)}
                {key.rp_id === setup.factors.rp_id ? null : (
                  <span className="block">
                    {t("console.factor.key.elsewhere", { host: key.rp_id })}
                  </span>
                )}
              </>
            }
            value={
              <Button
                variant="quiet"
                size="small"
                aria-label={t("console.factor.removeNamed", { name: key.name ?? "" })}
                busy={busy && chosenKey === key.key_id}
                onClick={() => remove(key.key_id)}
              >
                {t("console.factor.remove")}
              </Button>
            }
          />
        ))}
      </div>
      <div className="mt-3 empty:hidden">
        <FailureNote failure={failure} />
      </div>
    </>
  );
}

function NewKey({ setup }: { setup: Setup }) {
  const t = useText();
  const { run, busy, failure } = useFactorChange(addKey, setup);
  const [name, setName] = useState("");
  const [isSubmitted, setIsSubmitted] = useState(false);
  const isNameMissing = parseName(name) === null;
  const submit = async () => {
    setIsSubmitted(true);
    if (isNameMissing) return;
    const input = async () => {
      const { data } = await client.call(getKeyChallenge, {});
      return { name, ...(await createKey(data)) };
    };
    if (!(await run(input, "console.factor.done"))) return;
    setName("");
    setIsSubmitted(false);
  };
  return (
    <form
      className="mt-4 flex max-w-120 flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <Field
        label={t("console.factor.key.name")}
        hint={t("console.factor.key.nameHint")}
        error={
          isSubmitted && isNameMissing ? t("console.claim.nameForm", { max: nameMax }) : undefined
        }
      >
        <TextInput value={name} onChange={setName} autoComplete="off" />
      </Field>
      <FailureNote failure={failure} />
      <Button type="submit" block variant="outline" busy={busy}>
        {t("console.factor.key.add")}
      </Button>
    </form>
  );
}
