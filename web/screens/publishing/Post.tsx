import { useEffect } from "react";
import { getNews } from "#api/routes/publishing.ts";
import { useText } from "#i18n/useText.ts";
import { buttonClass } from "#ui/buttonClass.ts";
import { CompassDrawing } from "#ui/drawings.tsx";
import { Empty } from "#ui/Empty.tsx";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import { Page } from "#ui/Page.tsx";
import { Link } from "#ui/router.tsx";
import { Skeleton } from "#ui/Skeleton.tsx";
import { PostArticle } from "#web/features/posts/PostArticle.tsx";
import { useApiQuery } from "#web/lib/api/useApiQuery.ts";
import { useErrorMessage } from "#web/lib/api/useErrorMessage.ts";
import { useSettings } from "#web/lib/settings.ts";
import { NewsRows } from "#web/screens/publishing/NewsList.tsx";
import { useMarkRead } from "#web/screens/publishing/readMarks.ts";

/** One post in full. */
export function Post({ postId }: { postId: string }) {
  const t = useText();
  const errorMessage = useErrorMessage();
  const { language } = useSettings();
  const post = useApiQuery(getNews, { post_id: postId });
  const markRead = useMarkRead();
  const shownId = post.data?.post_id;
  useEffect(() => {
    if (shownId !== undefined) markRead(shownId);
  }, [shownId, markRead]);
  const title = t("posts.title");
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
      {post.data ? <PostArticle post={post.data} language={language} /> : null}
      {post.data?.leaf ? (
        <p className="px-4 pt-6 text-small">
          <Link to={`/verify?publication=${postId}`} className="text-signal-ink underline">
            {t("posts.check", { leaf: post.data.leaf })}
          </Link>
        </p>
      ) : null}
      {post.data || post.error ? null : <Loading />}
      {post.error && !post.data ? (
        <div className="p-4">
          {post.error.error === "publishing.unknown" ? (
            <Gone />
          ) : (
            <ErrorNote busy={post.isFetching} onRetry={() => void post.refetch()}>
              {errorMessage(post.error)}
            </ErrorNote>
          )}
        </div>
      ) : null}
    </Page>
  );
}

function Gone() {
  const t = useText();
  return (
    <Empty
      drawing={<CompassDrawing />}
      title={t("posts.gone")}
      action={
        <Link
          to="/news-list"
          replace
          className={buttonClass({ variant: "outline", size: "small" })}
        >
          {t("posts.all")}
        </Link>
      }
    >
      {t("posts.gone.text")}
    </Empty>
  );
}

function Loading() {
  const t = useText();
  return (
    <output className="flex flex-col gap-3 px-4 pt-2">
      <span className="sr-only">{t("ui.loading")}</span>
      <Skeleton width="75%" height="1.75rem" />
      <Skeleton width="50%" height="0.9rem" />
      <Skeleton height="5rem" className="mt-3" />
      <Skeleton height="8rem" />
    </output>
  );
}
