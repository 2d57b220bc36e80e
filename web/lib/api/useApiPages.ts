import { type InfiniteData, useInfiniteQuery } from "@tanstack/react-query";
import type { AnswerOf, InputOf, Route } from "#api/call.ts";
import type { ApiError } from "#api/client.ts";
import { client } from "#web/lib/api/client.ts";

/**
 * The shape shared by every paged answer of the wire (`pageSchema` of api/shapes.ts); lists that
 * never grow have no cursor.
 */
interface PageAnswer {
  items: readonly unknown[];
  page: number;
  has_more: boolean;
  before?: string | null;
}

/**
 * Identifies a page: its number, and the cursor of the first page, so that new rows do not shift
 * later ones.
 */
export interface PageParam {
  page: number;
  before?: string;
}

export type ItemOf<C> = AnswerOf<C> extends { items: readonly (infer Item)[] } ? Item : never;

export interface ApiPages<Item, Answer = unknown> {
  /** The rows of all loaded pages in order; undefined until the first page has loaded. */
  items: readonly Item[] | undefined;
  /** The first page's answer, for fields other than the rows. */
  first: Answer | undefined;
  /** How many pages are loaded. */
  pageCount: number;
  error: ApiError | null;
  /** True if the error belongs to the next page rather than to a refetch of the loaded ones. */
  hasMoreFailed: boolean;
  dataUpdatedAt: number;
  isFetching: boolean;
  refetch: () => void;
  hasMore: boolean;
  isLoadingMore: boolean;
  /** Loads the next page, or retries it after a failure. */
  loadMore: () => void;
}

export interface PagesSettings<Item> {
  enabled?: boolean;
  /**
   * Refetch interval in milliseconds while on screen, possibly computed from the loaded rows. A
   * refetch reads all n loaded pages, so the interval is multiplied by n to keep the server's load
   * constant.
   */
  refetchMs?: number | ((items: readonly Item[]) => number | undefined);
  /** Keeps showing the previous input's rows while the next ones load (filters). */
  keepPrevious?: boolean;
  staleMs?: number;
}

/** The page after `last`; undefined at the end. */
export function getNextPage(
  lastPage: PageAnswer,
  [first]: readonly PageAnswer[],
): PageParam | undefined {
  if (!lastPage.has_more) return undefined;
  const page = lastPage.page + 1;
  return first?.before ? { page, before: first.before } : { page };
}

/**
 * The cache key of a paged list: shares the prefix of `getQueryKey`, so that invalidating the call
 * includes it.
 */
export function getPagesKey(call: Route, input: object): readonly unknown[] {
  return [call.path, input, "pages"];
}

/**
 * A list of the wire, loaded page by page (`PagedList` renders it). Returning to it within the
 * cache time shows all pages that were loaded; a refetch reads each of them, starting with the
 * first.
 */
export function useApiPages<C extends Route>(
  call: C,
  input: Omit<InputOf<C>, "page" | "before">,
  { enabled = true, refetchMs, keepPrevious, staleMs }: PagesSettings<ItemOf<C>> = {},
): ApiPages<ItemOf<C>, AnswerOf<C>> {
  type Page = AnswerOf<C> & PageAnswer;
  const query = useInfiniteQuery<Page, ApiError, InfiniteData<Page>, readonly unknown[], PageParam>(
    {
      queryKey: getPagesKey(call, input),
      initialPageParam: { page: 1 },
      queryFn: async ({ pageParam, signal }) => {
        const params = { ...input, ...pageParam } as unknown as InputOf<C>;
        return (await client.call(call, params, { signal })).data as Page;
      },
      getNextPageParam: getNextPage,
      enabled,
      refetchInterval: ({ state: { data } }) => {
        const items = toRows<ItemOf<C>>(data?.pages ?? []);
        const pauseMs = typeof refetchMs === "function" ? refetchMs(items) : refetchMs;
        return pauseMs === undefined ? false : pauseMs * Math.max(1, data?.pages.length ?? 0);
      },
      ...(staleMs === undefined ? {} : { staleTime: staleMs }),
      ...(keepPrevious
        ? { placeholderData: (last: InfiniteData<Page, PageParam> | undefined) => last }
        : {}),
    },
  );
  const pages = query.data?.pages;
  return {
    items: pages && toRows<ItemOf<C>>(pages),
    first: pages?.[0],
    pageCount: pages?.length ?? 0,
    error: query.error,
    hasMoreFailed: query.isFetchNextPageError,
    dataUpdatedAt: query.dataUpdatedAt,
    isFetching: query.isFetching,
    refetch: () => void query.refetch(),
    hasMore: query.hasNextPage,
    isLoadingMore: query.isFetchingNextPage,
    loadMore: () => void query.fetchNextPage(),
  };
}

function toRows<Item>(pages: readonly PageAnswer[]): readonly Item[] {
  return pages.flatMap(({ items }) => items as readonly Item[]);
}
