import { useIntl } from "react-intl";
import { getNewsList } from "#api/routes/publishing.ts";
import { localeTags } from "#i18n/locales.ts";
import { useText } from "#i18n/useText.ts";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import { Row } from "#ui/Row.tsx";
import { Link } from "#ui/router.tsx";
import { Section } from "#ui/Section.tsx";
import { SkeletonRows } from "#ui/Skeleton.tsx";
import { useApiQuery } from "#web/lib/api/useApiQuery.ts";
import { useErrorMessage } from "#web/lib/api/useErrorMessage.ts";

const shownMax = 3;

/** This instance's latest posts; each opens in full. */
export function LatestNews() {
  const t = useText();
  return (
    <Section
      title={t("home.news")}
      action={
        <Link
          to="/news-list"
          className="-mr-2 inline-flex min-h-11 items-center rounded-dock px-2 text-small text-signal-ink hover:underline"
        >
          {t("home.news.all")}
        </Link>
      }
    >
      <Posts />
    </Section>
  );
}

function Posts() {
  const { formatDate } = useIntl();
  const t = useText();
  const errorMessage = useErrorMessage();
  const news = useApiQuery(getNewsList, { page: 1, page_size: shownMax });
  if (news.error && !news.data) {
    return (
      <div className="p-4">
        <ErrorNote busy={news.isFetching} onRetry={() => void news.refetch()}>
          {errorMessage(news.error)}
        </ErrorNote>
      </div>
    );
  }
  if (!news.data) return <SkeletonRows count={shownMax} tall />;
  if (news.data.items.length === 0) {
    return <p className="px-4 py-4 text-small text-ink-faint">{t("home.news.none")}</p>;
  }
  return news.data.items.map((post) => (
    <Row
      key={post.post_id}
      to={`/news-list?post_id=${post.post_id}`}
      className="min-h-15"
      label={
        <span lang={localeTags[post.language]} className={post.read === false ? "font-strong" : ""}>
          {post.title}
        </span>
      }
      hint={
        <>
          {formatDate(post.published_at_ms, { dateStyle: "medium" })}
          {post.read === false ? ` · ${t("home.news.unread")}` : ""}
        </>
      }
    />
  ));
}
