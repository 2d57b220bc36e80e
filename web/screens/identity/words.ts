import { useMemo } from "react";
import { type IntlShape, useIntl } from "react-intl";
import type { IdentitySpecimen } from "#api/identity.ts";
import { stateFacts } from "#core/identity/documents.ts";
import { useText } from "#i18n/useText.ts";
import type { DocumentTexts } from "./documentImage.ts";

/** A day such as 1990-12-31 in the person's language. */
export function formatLongDay(intl: IntlShape, day: string): string {
  return intl.formatDate(new Date(`${day}T00:00:00Z`), {
    year: "numeric",
    month: "short",
    day: "numeric",
    timeZone: "UTC",
  });
}

/**
 * The printed fields of a document. Its name may differ from the person's: that is the flaw to
 * notice.
 */
export function useDocumentTexts(specimen: IdentitySpecimen): DocumentTexts {
  const intl = useIntl();
  const t = useText();
  return useMemo(() => {
    const { print } = specimen;
    return {
      practice: t("identity.print.practice"),
      specimen: t("identity.print.specimen"),
      state: stateFacts[specimen.state].title,
      title: t(`identity.type.${specimen.document_type}`),
      footer: t("identity.print.footer"),
      rows: [
        { label: t("identity.name"), value: print.name },
        { label: t("identity.sex"), value: t(`identity.sex.${specimen.sex}`) },
        { label: t("identity.birthday"), value: formatLongDay(intl, specimen.birthday) },
        { label: t("identity.number"), value: specimen.number },
        { label: t("identity.issued"), value: formatLongDay(intl, print.issued_on) },
        { label: t("identity.expires"), value: formatLongDay(intl, print.expires_on) },
      ],
    };
  }, [intl, t, specimen]);
}
