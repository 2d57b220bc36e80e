import { type InfiniteData, useInfiniteQuery } from "@tanstack/react-query";
import type { AnswerOf, InputOf, Route } from "#api/call.ts";
import type { ApiError } from "#api/client.ts";
import { client } from "#web/lib/api/client.ts";

/**
 * What every paged answer of the wire has (`pageOf` of api/shapes.ts); lists that never grow have
 * no cursor.
 */
interface PageAnswer {
  items: readonly unknown[];
  page: number;
  has_more: boolean;
  before?: string | null;
}

/**
 * Where a page is: its number, and the cursor of the first page, so that new rows do not shift the
 * later ones.
 */
export interface PageParam {
  page: number;
  before?: string;
}

export type ItemOf<C> = AnswerOf<C> extends { items: readonly (infer Item)[] } ? Item : never;

export interface ApiPages<Item, Answer = unknown> {
  /** The rows of all loaded pages in order; undefined until the first page is there. */
  items: readonly Item[] | undefined;
  /** The answer of the first page, for what it holds besides rows. */
  first: Answer | undefined;
  /** How many pages are loaded. */
  pageCount: number;
  error: ApiError | null;
  /** Whether the error is the next page's, and not of reading again what is loaded. */
  hasMoreFailed: boolean;
  dataUpdatedAt: number;
  isFetching: boolean;
  refetch: () => void;
  hasMore: boolean;
  isLoadingMore: boolean;
  /** Loads the next page; the same again after a failure. */
  loadMore: () => void;
}

export interface PagesSettings<Item> {
  enabled?: boolean;
  /**
   * Asked again after so many milliseconds while on screen, or as the loaded rows say. All loaded
   * pages are read again, so with n pages the pause is n times as long and the load on the server
   * stays the same.
   */
  refetchMs?: number | ((items: readonly Item[]) => number | undefined);
  /** Keeps showing the rows of the last input while those of the next one load (filters). */
  keepPrevious?: boolean;
  staleMs?: number;
}

/** The page after `last`; undefined at the end. */
export function nextPage(last: PageAnswer, [first]: readonly PageAnswer[]): PageParam | undefined {
  if (!last.has_more) return undefined;
  const page = last.page + 1;
  return first?.before ? { page, before: first.before } : { page };
}

/**
 * The cache key of a paged list: begins as `keyOf`'s does, so that invalidating the call finds it
 * too.
 */
export function pagesKeyOf(call: Route, input: object): readonly unknown[] {
  return [call.path, input, "pages"];
}

/**
 * A list of the wire, a page at a time (`PagedList` draws it). Returning to it within the cache's
 * time shows all pages that were loaded; reading it again reads each of them, beginning with the
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
      queryKey: pagesKeyOf(call, input),
      initialPageParam: { page: 1 },
      queryFn: async ({ pageParam, signal }) => {
        const asked = { ...input, ...pageParam } as unknown as InputOf<C>;
        return (await client.call(call, asked, { signal })).data as Page;
      },
      getNextPageParam: nextPage,
      enabled,
      refetchInterval: ({ state: { data } }) => {
        const items = rowsOf<ItemOf<C>>(data?.pages ?? []);
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
    items: pages && rowsOf<ItemOf<C>>(pages),
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

function rowsOf<Item>(pages: readonly PageAnswer[]): readonly Item[] {
  return pages.flatMap(({ items }) => items as readonly Item[]);
}
