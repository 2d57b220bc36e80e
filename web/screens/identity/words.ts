import { useMemo } from "react";
import { type IntlShape, useIntl } from "react-intl";
import type { IdentitySpecimen } from "#api/identity.ts";
import { stateFacts } from "#core/identity/documents.ts";
import type { DocumentWords } from "./documentImage.ts";

/** A day such as 1990-12-31 in the person's language. */
export function dayWords(intl: IntlShape, day: string): string {
  return intl.formatDate(new Date(`${day}T00:00:00Z`), {
    year: "numeric",
    month: "short",
    day: "numeric",
    timeZone: "UTC",
  });
}

/** What is printed on a document. Its name may be another than the person's: that is what is to be noticed. */
export function useDocumentWords(specimen: IdentitySpecimen): DocumentWords {
  const intl = useIntl();
  return useMemo(() => {
    const say = (id: string) => intl.formatMessage({ id });
    const { print } = specimen;
    return {
      practice: say("identity.print.practice"),
      specimen: say("identity.print.specimen"),
      state: stateFacts[specimen.state].title,
      title: say(`identity.type.${specimen.document_type}`),
      footer: say("identity.print.footer"),
      rows: [
        { label: say("identity.name"), value: print.name },
        { label: say("identity.sex"), value: say(`identity.sex.${specimen.sex}`) },
        { label: say("identity.birthday"), value: dayWords(intl, specimen.birthday) },
        { label: say("identity.number"), value: specimen.number },
        { label: say("identity.issued"), value: dayWords(intl, print.issued_on) },
        { label: say("identity.expires"), value: dayWords(intl, print.expires_on) },
      ],
    };
  }, [intl, specimen]);
}
