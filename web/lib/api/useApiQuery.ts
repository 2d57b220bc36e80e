import { type InfiniteData, type UseQueryResult, useQuery } from "@tanstack/react-query";
import type { AnswerOf, InputOf, Route } from "#api/call.ts";
import type { ApiError } from "#api/client.ts";
import { client, queryClient } from "#web/lib/api/client.ts";

export interface QuerySettings<Answer = unknown> {
  /** Set to false to delay the query (not signed in, nothing chosen). */
  enabled?: boolean;
  /** Refetch interval in milliseconds while on screen, possibly computed from the last answer. */
  refetchMs?: number | ((answer: Answer | undefined) => number | undefined);
  /** Keeps showing the previous answer while the next one loads (paging). */
  keepPrevious?: boolean;
  staleMs?: number;
}

/** The cache key of a call: its path and its input. */
export function getQueryKey<C extends Route>(call: C, input: InputOf<C>): readonly unknown[] {
  return [call.path, input];
}

/**
 * Queries a call and caches its answer. Components with the same call and input share one request.
 */
export function useApiQuery<C extends Route>(
  call: C,
  input: InputOf<C>,
  { enabled = true, refetchMs, keepPrevious, staleMs }: QuerySettings<AnswerOf<C>> = {},
): UseQueryResult<AnswerOf<C>, ApiError> {
  return useQuery<AnswerOf<C>, ApiError>({
    queryKey: getQueryKey(call, input),
    queryFn: async ({ signal }) => (await client.call(call, input, { signal })).data,
    enabled,
    refetchInterval: ({ state: { data } }: { state: { data: AnswerOf<C> | undefined } }) =>
      (typeof refetchMs === "function" ? refetchMs(data) : refetchMs) ?? false,
    ...(staleMs === undefined ? {} : { staleTime: staleMs }),
    ...(keepPrevious ? { placeholderData: (last: AnswerOf<C> | undefined) => last } : {}),
  } as Parameters<typeof useQuery<AnswerOf<C>, ApiError>>[0]);
}

/** Starts a query before the component that shows its answer has rendered; it reports failures. */
export function prefetch<C extends Route>(call: C, input: InputOf<C>): void {
  void queryClient.prefetchQuery({
    queryKey: getQueryKey(call, input),
    queryFn: async ({ signal }) => (await client.call(call, input, { signal })).data,
  });
}

/**
 * Invalidates every cached answer of `call`, whatever its input; what is on screen is refetched.
 */
export function invalidate(call: Route): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: [call.path] });
}

/**
 * Stores a mutation's answer as the latest answer of a query. Cancels a fetch in flight: it began
 * before the change and would overwrite it with the old state.
 */
export async function replaceAnswer<C extends Route>(
  call: C,
  input: InputOf<C>,
  answer: AnswerOf<C>,
): Promise<void> {
  const key = getQueryKey(call, input);
  await queryClient.cancelQueries({ queryKey: key, exact: true });
  queryClient.setQueryData(key, answer);
}

/**
 * Updates a cached answer in place, for example from a stream message. Does nothing when there is
 * none.
 */
export function updateCached<C extends Route>(
  call: C,
  input: InputOf<C>,
  change: (answer: AnswerOf<C>) => AnswerOf<C>,
): void {
  queryClient.setQueryData<AnswerOf<C>>(getQueryKey(call, input), (previous) =>
    previous ? change(previous) : previous,
  );
}

/**
 * `updateCached` for every input of a call, and for each loaded page of its lists (`useApiPages`).
 */
export function updateAllCached<C extends Route>(
  call: C,
  change: (answer: AnswerOf<C>) => AnswerOf<C>,
): void {
  type CachedAnswer = AnswerOf<C> | InfiniteData<AnswerOf<C>>;
  queryClient.setQueriesData<CachedAnswer>({ queryKey: [call.path] }, (previous) => {
    if (!previous) return previous;
    return isPaged<AnswerOf<C>>(previous)
      ? { ...previous, pages: previous.pages.map((page) => change(page)) }
      : change(previous as AnswerOf<C>);
  });
}

function isPaged<Answer>(value: unknown): value is InfiniteData<Answer> {
  return typeof value === "object" && value !== null && "pageParams" in value;
}
