import { Fragment, type ReactNode, useRef } from "react";
import { useText } from "#i18n/useText.ts";
import { Button } from "#ui/Button.tsx";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import { SkeletonRows } from "#ui/Skeleton.tsx";
import type { ApiPages } from "#web/lib/api/useApiPages.ts";
import { useErrorMessage } from "#web/lib/api/useErrorMessage.ts";

interface PagedListProps<Item> {
  list: ApiPages<Item>;
  /** Tells rows apart: one that moved to the next page while the list grew is drawn once. */
  keyOf: (item: Item) => string;
  /** What stands there when there are no rows. */
  empty: ReactNode;
  /** What stands there until the first page has come. */
  loading?: ReactNode;
  as?: "div" | "ul";
  /** Of the box around the rows; inside a `Section`, which has its own lines, `hairlines` alone. */
  className?: string;
  /** Draws a row; an `li` in a `ul`. */
  children: (item: Item) => ReactNode;
}

/**
 * A long list, a page at a time, more on request: with what loading, failing, being empty and the
 * end look like.
 */
export function PagedList<Item>({
  list,
  keyOf,
  empty,
  loading = <SkeletonRows />,
  as: Box = "div",
  className = "hairlines border-b border-line",
  children,
}: PagedListProps<Item>) {
  const { items, error } = list;
  if (!items) return error ? <Failed list={list} onRetry={list.refetch} /> : loading;
  if (items.length === 0) return empty;
  const rows = new Map(items.map((item) => [keyOf(item), item]));
  return (
    <>
      <Box className={className}>
        {[...rows].map(([key, item]) => (
          <Fragment key={key}>{children(item)}</Fragment>
        ))}
      </Box>
      <Foot list={list} />
    </>
  );
}

/** Below the rows: the way to more of them, why they did not come, or that there are none left. */
function Foot({ list }: { list: ApiPages<unknown> }) {
  const t = useText();
  const pressed = useRef(false);
  const { hasMore, hasMoreFailed, isLoadingMore, pageCount } = list;
  if (hasMoreFailed) return <Failed list={list} onRetry={list.loadMore} />;
  if (hasMore) {
    return (
      <div className="flex justify-center py-4">
        <Button
          variant="outline"
          busy={isLoadingMore}
          onClick={() => {
            pressed.current = true;
            list.loadMore();
          }}
        >
          {t("app.list.more")}
        </Button>
      </div>
    );
  }
  if (pageCount < 2) return null;
  return (
    <p
      ref={(end) => {
        // The button that had the focus is gone: whoever goes by keyboard goes on from here.
        if (pressed.current && document.activeElement === document.body) {
          end?.focus({ preventScroll: true });
        }
        pressed.current = false;
      }}
      tabIndex={-1}
      className="py-4 text-center text-small text-ink-faint outline-none"
    >
      {t("app.list.end")}
    </p>
  );
}

function Failed({ list, onRetry }: { list: ApiPages<unknown>; onRetry: () => void }) {
  const errorMessage = useErrorMessage();
  return (
    <div className="p-4">
      <ErrorNote busy={list.isFetching} onRetry={onRetry}>
        {errorMessage(list.error)}
      </ErrorNote>
    </div>
  );
}
