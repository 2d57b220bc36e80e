import { useEffect } from "react";
import { useIntl } from "react-intl";
import { Link } from "react-router";
import { getNews, type NewsPost } from "#api/news.ts";
import { localeNames, localeTags } from "#i18n/locales.ts";
import { buttonClass } from "#ui/buttonClass.ts";
import { CompassDrawing } from "#ui/drawings.tsx";
import { Empty } from "#ui/Empty.tsx";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import { Page } from "#ui/Page.tsx";
import { Skeleton } from "#ui/Skeleton.tsx";
import { useSettings } from "#web/app/settings.ts";
import { useCall } from "#web/app/useCall.ts";
import { useSentence } from "#web/app/useSentence.ts";
import { NewsRows } from "#web/news/NewsList.tsx";
import { PostText } from "#web/news/PostText.tsx";
import { useMarkRead } from "#web/news/readMarks.ts";

/** One post in full. */
export function Post({ postId }: { postId: string }) {
  const { formatMessage } = useIntl();
  const sentence = useSentence();
  const post = useCall(getNews, { post_id: postId });
  const markRead = useMarkRead();
  const shown = post.data?.post_id;
  useEffect(() => {
    if (shown !== undefined) markRead(shown);
  }, [shown, markRead]);
  const title = formatMessage({ id: "news.title" });
  return (
    <Page
      title={post.data?.title ?? title}
      heading={title}
      back="/news-list"
      side={
        <div className="wide:mt-14 wide:border-t wide:border-line">
          <NewsRows />
        </div>
      }
      sideWideOnly
    >
      {post.data ? <Read post={post.data} /> : null}
      {post.data || post.error ? null : <Loading />}
      {post.error && !post.data ? (
        <div className="p-4">
          {post.error.error === "publishing.unknown" ? (
            <Gone />
          ) : (
            <ErrorNote busy={post.isFetching} onRetry={() => void post.refetch()}>
              {sentence(post.error)}
            </ErrorNote>
          )}
        </div>
      ) : null}
    </Page>
  );
}

function Read({ post }: { post: NewsPost }) {
  const { formatMessage, formatDate } = useIntl();
  const { language } = useSettings();
  const day = (atMs: number) => formatDate(atMs, { dateStyle: "long" });
  return (
    <article className="px-4 pt-1">
      <h2
        lang={localeTags[post.language]}
        className="text-title font-strong tracking-tight text-balance"
      >
        {post.title}
      </h2>
      <p className="mt-2 text-small text-ink-faint">
        {day(post.published_at_ms)}
        {" · "}
        {formatMessage({ id: `news.by.${post.author}` })}
        {post.changed_at_ms === null ? null : (
          <> · {formatMessage({ id: "news.changed" }, { date: day(post.changed_at_ms) })}</>
        )}
      </p>
      {post.language === language ? null : (
        <p className="mt-3 rounded-dock bg-mind-wash px-3.5 py-2.5 text-small text-mind">
          {formatMessage(
            { id: "news.otherLanguage" },
            { wanted: localeNames[language], shown: localeNames[post.language] },
          )}
        </p>
      )}
      <div lang={localeTags[post.language]}>
        <p className="mt-4 text-ink-soft">{post.summary}</p>
        <PostText text={post.body} />
      </div>
    </article>
  );
}

function Gone() {
  const { formatMessage } = useIntl();
  return (
    <Empty
      drawing={<CompassDrawing />}
      title={formatMessage({ id: "news.gone" })}
      action={
        <Link
          to="/news-list"
          replace
          className={buttonClass({ variant: "outline", size: "small" })}
        >
          {formatMessage({ id: "news.all" })}
        </Link>
      }
    >
      {formatMessage({ id: "news.gone.text" })}
    </Empty>
  );
}

function Loading() {
  const { formatMessage } = useIntl();
  return (
    <output className="flex flex-col gap-3 px-4 pt-2">
      <span className="sr-only">{formatMessage({ id: "ui.loading" })}</span>
      <Skeleton width="75%" height="1.75rem" />
      <Skeleton width="50%" height="0.9rem" />
      <Skeleton height="5rem" className="mt-3" />
      <Skeleton height="8rem" />
    </output>
  );
}
