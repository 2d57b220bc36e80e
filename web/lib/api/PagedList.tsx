import { Fragment, type ReactNode, useRef } from "react";
import { useText } from "#i18n/useText.ts";
import { Button } from "#ui/Button.tsx";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import { SkeletonRows } from "#ui/Skeleton.tsx";
import type { ApiPages } from "#web/lib/api/useApiPages.ts";
import { useErrorMessage } from "#web/lib/api/useErrorMessage.ts";

interface PagedListProps<Item> {
  list: ApiPages<Item>;
  /**
   * Identity of a row: one that moved to the next page while the list grew is rendered only once.
   */
  keyOf: (item: Item) => string;
  /** Shown when there are no rows. */
  empty: ReactNode;
  /** Shown until the first page has loaded. */
  loading?: ReactNode;
  as?: "div" | "ul";
  /**
   * Classes of the box around the rows; inside a `Section`, which draws its own outer lines, just
   * `hairlines`.
   */
  className?: string;
  /** Renders a row; an `li` in a `ul`. */
  children: (item: Item) => ReactNode;
}

/** A long list loaded page by page on request, with its loading, error, empty and end states. */
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

/**
 * The part below the rows: a button for more, the error of the last page, or the end of the list.
 */
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
        // The focused button is gone: keep the keyboard position here.
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
