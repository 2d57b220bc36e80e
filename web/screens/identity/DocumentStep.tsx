import { useState } from "react";
import { useIntl } from "react-intl";
import { contactCountries } from "#core/identity/contact.ts";
import { documentTypes, normalizeNumber } from "#core/identity/documents.ts";
import { formatDay, parseResidentId } from "#core/identity/residentId.ts";
import { useText } from "#i18n/useText.ts";
import { Field } from "#ui/form/Field.tsx";
import { TextInput } from "#ui/form/TextInput.tsx";
import { Choice } from "./Choice.tsx";
import type { StepProps } from "./PersonStep.tsx";
import type { TextName } from "./useVerifyForm.ts";
import { formatLongDay } from "./words.ts";

/**
 * The countries whose fictional numbers specimens use, and those of our languages that reserve no
 * numbers for fiction.
 */
const countries = [...contactCountries, "CN", "IT", "JP", "TW"];

/** Document type, number with the resident ID helper, and contact number by country. */
export function DocumentStep({ form, missing }: StepProps) {
  const intl = useIntl();
  const t = useText();
  const error = (name: TextName) =>
    missing.includes(name) ? t("identity.missingField") : undefined;
  const { texts } = form;
  const resident = useResident(texts.document_type === "resident_id" ? texts.number : "");
  const [isContactWrong, setIsContactWrong] = useState(false);
  const checkContact = async () => {
    const { contact_number: number, contact_country: country } = texts;
    if (number.trim() === "" || country === "") return;
    const { isPhoneNumber } = await import("./phone.ts");
    setIsContactWrong(!isPhoneNumber(number, country));
  };
  const names = countries
    .map((value) => ({
      value,
      label: intl.formatDisplayName(value, { type: "region" }) ?? value,
    }))
    .sort((a, b) => a.label.localeCompare(b.label, intl.locale));
  return (
    <>
      <Field label={t("identity.documentType")} error={error("document_type")}>
        <Choice
          value={texts.document_type}
          onChange={(value) => form.set("document_type", value)}
          options={documentTypes.map((value) => ({ value, label: t(`identity.type.${value}`) }))}
        />
      </Field>
      <Field
        label={t("identity.number")}
        error={error("number") ?? resident.error}
        hint={resident.hint}
      >
        <TextInput
          value={texts.number}
          onChange={(text) => form.set("number", text)}
          onBlur={resident.leave}
          maxLength={24}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
        />
      </Field>
      <Field label={t("identity.country")} error={error("contact_country")}>
        <Choice
          value={texts.contact_country}
          onChange={(value) => {
            form.set("contact_country", value);
            setIsContactWrong(false);
          }}
          options={names}
        />
      </Field>
      <Field
        label={t("identity.contact")}
        error={error("contact_number") ?? (isContactWrong ? t("identity.contactWrong") : undefined)}
        hint={texts.contact_country === "CN" ? t("identity.contactChina") : undefined}
      >
        <TextInput
          type="tel"
          value={texts.contact_number}
          onChange={(text) => {
            form.set("contact_number", text);
            setIsContactWrong(false);
          }}
          onBlur={() => void checkContact()}
          maxLength={24}
          autoComplete="off"
        />
      </Field>
    </>
  );
}

/** The check of a resident ID while it is typed; a wrong length is reported on blur. */
function useResident(text: string) {
  const intl = useIntl();
  const t = useText();
  const [leftNumber, setLeftNumber] = useState("");
  const number = normalizeNumber(text);
  const leave = () => setLeftNumber(number);
  if (number === "") return { leave };
  const result = parseResidentId(number);
  const isWhole = number.length === 18 || leftNumber === number;
  if (!result.ok && result.error !== "check_digit") {
    return isWhole ? { leave, error: t("identity.residentWrong") } : { leave };
  }
  const values = {
    birthday: formatLongDay(intl, formatDay(result.birthday)),
    sex: t(`identity.sex.${result.sex}`),
  };
  const residentText = t("identity.residentSays", values);
  const check = result.ok ? "" : ` ${t("identity.residentCheck")}`;
  return { leave, hint: `${residentText}${check}` };
}
