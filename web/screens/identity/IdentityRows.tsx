import { useIntl } from "react-intl";
import type { IdentitySpecimen } from "#api/identity.ts";
import { Row } from "#ui/Row.tsx";
import { dayWords } from "./words.ts";

/** Who the person is for the exercise: what goes into the form. */
export function IdentityRows({ specimen }: { specimen: IdentitySpecimen }) {
  const intl = useIntl();
  const say = (id: string) => intl.formatMessage({ id });
  const country = intl.formatDisplayName(specimen.contact.country, { type: "region" });
  return (
    <>
      <Row label={say("identity.name")} value={specimen.name} />
      <Row label={say("identity.sex")} value={say(`identity.sex.${specimen.sex}`)} />
      <Row label={say("identity.birthday")} value={dayWords(intl, specimen.birthday)} />
      <Row
        label={say("identity.documentType")}
        value={say(`identity.type.${specimen.document_type}`)}
      />
      <Row label={say("identity.number")} value={specimen.number} />
      <Row
        label={say("identity.contact")}
        hint={`${country} (${specimen.contact.authority})`}
        value={specimen.contact.number}
      />
    </>
  );
}
