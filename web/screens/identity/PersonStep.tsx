import { useText } from "#i18n/useText.ts";
import { Field } from "#ui/form/Field.tsx";
import { TextInput } from "#ui/form/TextInput.tsx";
import { Choice } from "./Choice.tsx";
import type { TextName, VerifyFormState } from "./useVerifyForm.ts";

export interface StepProps {
  form: VerifyFormState;
  /** The fields marked as missing. */
  missing: readonly TextName[];
}

/** Name, sex and date of birth. Autofill is off: the browser owner's data does not belong here. */
export function PersonStep({ form, missing }: StepProps) {
  const t = useText();
  const error = (name: TextName) =>
    missing.includes(name) ? t("identity.missingField") : undefined;
  return (
    <>
      <Field label={t("identity.name")} error={error("name")}>
        <TextInput
          value={form.texts.name}
          onChange={(text) => form.set("name", text)}
          maxLength={60}
          autoComplete="off"
          spellCheck={false}
        />
      </Field>
      <Field label={t("identity.sex")} error={error("sex")}>
        <Choice
          value={form.texts.sex}
          onChange={(value) => form.set("sex", value)}
          options={["0", "1"].map((value) => ({ value, label: t(`identity.sex.${value}`) }))}
        />
      </Field>
      <Field label={t("identity.birthday")} error={error("birthday")}>
        <TextInput
          type="date"
          value={form.texts.birthday}
          onChange={(text) => form.set("birthday", text)}
          min="1900-01-01"
          autoComplete="off"
        />
      </Field>
    </>
  );
}
