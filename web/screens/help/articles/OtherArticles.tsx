import { useText } from "#i18n/useText.ts";
import { Row } from "#ui/Row.tsx";
import { useSearchParams } from "#ui/router.tsx";
import { Section } from "#ui/Section.tsx";
import { articles } from "#web/screens/help/articles/articles.ts";
import { buildArticlePath } from "#web/screens/help/views.ts";

/** Every article but the one that is open. */
export default function OtherArticles() {
  const t = useText();
  const [query] = useSearchParams();
  const others = articles.filter(({ id }) => id !== query.get("article"));
  return (
    <Section title={t("help.article.others")}>
      {others.map(({ id }) => (
        <Row key={id} to={buildArticlePath(id)} label={t(`help.article.${id}.title`)} />
      ))}
    </Section>
  );
}
