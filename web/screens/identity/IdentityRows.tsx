import { useIntl } from "react-intl";
import type { IdentitySpecimen } from "#api/identity.ts";
import { useText } from "#i18n/useText.ts";
import { Row } from "#ui/Row.tsx";
import { formatLongDay } from "./words.ts";

/** The fictional identity for the exercise: what goes into the form. */
export function IdentityRows({ specimen }: { specimen: IdentitySpecimen }) {
  const intl = useIntl();
  const t = useText();
  const country = intl.formatDisplayName(specimen.contact.country, { type: "region" });
  return (
    <>
      <Row label={t("identity.name")} value={specimen.name} />
      <Row label={t("identity.sex")} value={t(`identity.sex.${specimen.sex}`)} />
      <Row label={t("identity.birthday")} value={formatLongDay(intl, specimen.birthday)} />
      <Row
        label={t("identity.documentType")}
        value={t(`identity.type.${specimen.document_type}`)}
      />
      <Row label={t("identity.number")} value={specimen.number} />
      <Row
        label={t("identity.contact")}
        hint={`${country} (${specimen.contact.authority})`}
        value={specimen.contact.number}
      />
    </>
  );
}
