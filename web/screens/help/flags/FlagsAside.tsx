import { useText } from "#i18n/useText.ts";
import { Row } from "#ui/Row.tsx";
import { useSearchParams } from "#ui/router.tsx";
import { Section } from "#ui/Section.tsx";
import { flags } from "#web/screens/help/flags/flags.ts";
import { buildFlagPath } from "#web/screens/help/views.ts";

/** The other red flags, beside the open one on wide screens. */
export default function FlagsAside() {
  const t = useText();
  const [query] = useSearchParams();
  const others = flags.filter(({ id }) => id !== query.get("flag"));
  return (
    <Section title={t("safety.flags.title")}>
      {others.map(({ id }) => (
        <Row
          key={id}
          to={buildFlagPath(id)}
          label={t(`safety.flag.${id}.title`)}
          className="min-h-12"
        />
      ))}
    </Section>
  );
}
