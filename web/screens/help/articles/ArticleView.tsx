import { Fragment } from "react";
import { useText } from "#i18n/useText.ts";
import { buttonClass } from "#ui/buttonClass.ts";
import { Empty } from "#ui/Empty.tsx";
import { Link, useSearchParams } from "#ui/router.tsx";
import { articles, paragraphNames } from "#web/screens/help/articles/articles.ts";

/** `/help?view=article&article=<id>`: one short article and a link to its screen. */
export default function ArticleView() {
  const t = useText();
  const [query] = useSearchParams();
  const requestedArticle = query.get("article");
  const article = articles.find(({ id }) => id === requestedArticle);
  if (!article) return <Empty title={t("help.article.unknown")} />;
  return (
    <article className="px-4 pt-2">
      <h2 className="text-title font-strong">{t(`help.article.${article.id}.title`)}</h2>
      {paragraphNames.map((part, index) => (
        <Fragment key={part}>
          <p className="mt-3 max-w-160">{t(`help.article.${article.id}.${part}`)}</p>
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
  );
}
