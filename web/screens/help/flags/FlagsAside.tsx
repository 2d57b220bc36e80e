import { useIntl } from "react-intl";
import { useSearchParams } from "react-router";
import { Row } from "#ui/Row.tsx";
import { Section } from "#ui/Section.tsx";
import { flags } from "#web/screens/help/flags/flags.ts";
import { flagPath } from "#web/screens/help/views.ts";

/** The other red flags, beside the one that is open, where there is room. */
export default function FlagsAside() {
  const { formatMessage } = useIntl();
  const [query] = useSearchParams();
  const others = flags.filter(({ id }) => id !== query.get("flag"));
  return (
    <Section title={formatMessage({ id: "safety.flags.title" })}>
      {others.map(({ id }) => (
        <Row
          key={id}
          to={flagPath(id)}
          label={formatMessage({ id: `safety.flag.${id}.title` })}
          className="min-h-12"
        />
      ))}
    </Section>
  );
}
