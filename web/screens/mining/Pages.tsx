import { type ReactNode, useEffect, useState } from "react";
import { useIntl } from "react-intl";
import type { CallError } from "#api/client.ts";
import { Button } from "#ui/Button.tsx";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import { SkeletonRows } from "#ui/Skeleton.tsx";
import { useSentence } from "#web/lib/useErrorMessage.ts";

interface PageAnswer<Item> {
  data: { items: Item[]; before: string | null; has_more: boolean } | undefined;
  error: CallError | null;
  isFetching: boolean;
  refetch: () => unknown;
}

interface PagesProps<Item> {
  /** A hook that asks one page; called by the same component each time. */
  usePage: (page: number, before?: string) => PageAnswer<Item>;
  empty: ReactNode;
  children: (item: Item) => ReactNode;
}

/** A long list, a page at a time, more on request; the cursor of the first page keeps the others in place. */
export function Pages<Item>({ usePage, empty, children }: PagesProps<Item>) {
  const { formatMessage } = useIntl();
  const [pages, setPages] = useState(1);
  const [more, setMore] = useState<boolean | null>(null);
  const first = usePage(1);
  if (!first.data) return <Waiting answer={first} />;
  if (first.data.items.length === 0) return empty;
  const { before, items, has_more } = first.data;
  const hasMore = pages === 1 ? has_more : more === true;
  return (
    <>
      <div className="hairlines border-b border-line">
        {items.map(children)}
        {Array.from({ length: pages - 1 }, (_, at) => at + 2).map((page) => (
          <Later
            key={page}
            usePage={usePage}
            page={page}
            before={before}
            onMore={page === pages ? setMore : null}
          >
            {children}
          </Later>
        ))}
      </div>
      {hasMore ? (
        <div className="flex justify-center py-4">
          <Button
            variant="outline"
            onClick={() => {
              setMore(null);
              setPages(pages + 1);
            }}
          >
            {formatMessage({ id: "mining.more" })}
          </Button>
        </div>
      ) : null}
    </>
  );
}

interface LaterProps<Item> extends Pick<PagesProps<Item>, "usePage" | "children"> {
  page: number;
  before: string | null;
  onMore: ((more: boolean) => void) | null;
}

function Later<Item>({ usePage, page, before, onMore, children }: LaterProps<Item>) {
  const answer = usePage(page, before ?? undefined);
  const hasMore = answer.data?.has_more;
  useEffect(() => {
    if (hasMore !== undefined) onMore?.(hasMore);
  }, [hasMore, onMore]);
  if (!answer.data) return <Waiting answer={answer} />;
  return answer.data.items.map(children);
}

function Waiting({ answer }: { answer: PageAnswer<unknown> }) {
  const sentence = useSentence();
  if (!answer.error) return <SkeletonRows />;
  return (
    <div className="p-4">
      <ErrorNote busy={answer.isFetching} onRetry={() => void answer.refetch()}>
        {sentence(answer.error)}
      </ErrorNote>
    </div>
  );
}
