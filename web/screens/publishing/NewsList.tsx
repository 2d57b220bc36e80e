import { useEffect, useState } from "react";
import { useIntl } from "react-intl";
import type { NewsItem } from "#api/publishing.ts";
import { getNewsList } from "#api/routes/publishing.ts";
import { Button } from "#ui/Button.tsx";
import { CompassDrawing } from "#ui/drawings.tsx";
import { Empty } from "#ui/Empty.tsx";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import { Page } from "#ui/Page.tsx";
import { SkeletonRows } from "#ui/Skeleton.tsx";
import { useCall } from "#web/lib/useApiQuery.ts";
import { useSentence } from "#web/lib/useErrorMessage.ts";
import { NewsRow } from "#web/screens/publishing/NewsRow.tsx";

const pageSize = 10;

/** Every post, newest first, a page at a time. */
export function NewsList() {
  const { formatMessage } = useIntl();
  return (
    <Page title={formatMessage({ id: "news.title" })} back="/home">
      <NewsRows />
    </Page>
  );
}

/** The posts themselves, for the list and for the room beside a post. */
export function NewsRows() {
  const { formatMessage } = useIntl();
  const [pages, setPages] = useState(1);
  const [more, setMore] = useState<boolean | null>(null);
  const first = useCall(getNewsList, { page: 1, page_size: pageSize });
  if (!first.data) return <Waiting answer={first} />;
  const { items, before } = first.data;
  if (items.length === 0) {
    return (
      <Empty drawing={<CompassDrawing />} title={formatMessage({ id: "news.none" })}>
        {formatMessage({ id: "news.none.text" })}
      </Empty>
    );
  }
  const hasMore = pages === 1 ? first.data.has_more : more === true;
  return (
    <>
      <ul className="hairlines border-b border-line">
        {items.map(rowOf)}
        {Array.from({ length: pages - 1 }, (_, at) => at + 2).map((page) => (
          <Later key={page} page={page} before={before} onMore={page === pages ? setMore : null} />
        ))}
      </ul>
      {hasMore ? (
        <div className="flex justify-center py-4">
          <Button
            variant="outline"
            onClick={() => {
              setMore(null);
              setPages(pages + 1);
            }}
          >
            {formatMessage({ id: "news.more" })}
          </Button>
        </div>
      ) : null}
    </>
  );
}

const rowOf = (post: NewsItem) => (
  <li key={post.post_id}>
    <NewsRow post={post} />
  </li>
);

interface LaterProps {
  page: number;
  before: string | null;
  onMore: ((more: boolean) => void) | null;
}

function Later({ page, before, onMore }: LaterProps) {
  const answer = useCall(getNewsList, {
    page,
    page_size: pageSize,
    ...(before === null ? {} : { before }),
  });
  const hasMore = answer.data?.has_more;
  useEffect(() => {
    if (hasMore !== undefined) onMore?.(hasMore);
  }, [hasMore, onMore]);
  return answer.data ? (
    answer.data.items.map(rowOf)
  ) : (
    <li>
      <Waiting answer={answer} />
    </li>
  );
}

function Waiting({
  answer,
}: {
  answer: Pick<ReturnType<typeof useCall<typeof getNewsList>>, "error" | "isFetching" | "refetch">;
}) {
  const sentence = useSentence();
  if (!answer.error) return <SkeletonRows tall />;
  return (
    <div className="p-4">
      <ErrorNote busy={answer.isFetching} onRetry={() => void answer.refetch()}>
        {sentence(answer.error)}
      </ErrorNote>
    </div>
  );
}
