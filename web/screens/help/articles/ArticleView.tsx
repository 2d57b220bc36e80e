import { Fragment } from "react";
import { useText } from "#i18n/useText.ts";
import { buttonClass } from "#ui/buttonClass.ts";
import { Empty } from "#ui/Empty.tsx";
import { Row } from "#ui/Row.tsx";
import { Link, useSearchParams } from "#ui/router.tsx";
import { Section } from "#ui/Section.tsx";
import { articleParagraphs, articles } from "#web/screens/help/articles/articles.ts";
import { articlePath } from "#web/screens/help/views.ts";

/**
 * `/help?view=article&article=<id>`: one short article, a link to its screen, and the other
 * articles.
 */
export default function ArticleView() {
  const t = useText();
  const [query] = useSearchParams();
  const requestedArticle = query.get("article");
  const article = articles.find(({ id }) => id === requestedArticle);
  const others = articles.filter(({ id }) => id !== requestedArticle);
  return (
    <>
      {article ? (
        <article className="px-4 pt-2">
          <h2 className="text-title font-strong">{t(`help.article.${article.id}.title`)}</h2>
          {articleParagraphs.map((part, index) => (
            <Fragment key={part}>
              <p className="mt-3">{t(`help.article.${article.id}.${part}`)}</p>
              {index === 0 ? (
                <Link
                  to={article.to}
                  className={`${buttonClass({ variant: "outline", block: true })} mt-3`}
                >
                  {t("help.article.go")}
                </Link>
              ) : null}
            </Fragment>
          ))}
        </article>
      ) : (
        <Empty title={t("help.article.unknown")} />
      )}
      <Section title={t("help.article.others")}>
        {others.map(({ id }) => (
          <Row key={id} to={articlePath(id)} label={t(`help.article.${id}.title`)} />
        ))}
      </Section>
    </>
  );
}
