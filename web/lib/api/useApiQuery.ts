import { type InfiniteData, type UseQueryResult, useQuery } from "@tanstack/react-query";
import type { AnswerOf, InputOf, Route } from "#api/call.ts";
import type { ApiError } from "#api/client.ts";
import { client, queryClient } from "#web/lib/api/client.ts";

export interface QuerySettings<Answer = unknown> {
  /** False: not asked yet (not signed in, nothing chosen). */
  enabled?: boolean;
  /** Asked again after so many milliseconds while on screen, or as the last answer says. */
  refetchMs?: number | ((answer: Answer | undefined) => number | undefined);
  /** Keeps showing the last answer while the next one loads (paging). */
  keepPrevious?: boolean;
  staleMs?: number;
}

/** The cache key of a call: its path and its input. */
export function queryKey<C extends Route>(call: C, input: InputOf<C>): readonly unknown[] {
  return [call.path, input];
}

/**
 * Asks a call and keeps its answer. Two components with the same call and input share one request.
 */
export function useApiQuery<C extends Route>(
  call: C,
  input: InputOf<C>,
  { enabled = true, refetchMs, keepPrevious, staleMs }: QuerySettings<AnswerOf<C>> = {},
): UseQueryResult<AnswerOf<C>, ApiError> {
  return useQuery<AnswerOf<C>, ApiError>({
    queryKey: queryKey(call, input),
    queryFn: async ({ signal }) => (await client.call(call, input, { signal })).data,
    enabled,
    refetchInterval: ({ state: { data } }: { state: { data: AnswerOf<C> | undefined } }) =>
      (typeof refetchMs === "function" ? refetchMs(data) : refetchMs) ?? false,
    ...(staleMs === undefined ? {} : { staleTime: staleMs }),
    ...(keepPrevious ? { placeholderData: (last: AnswerOf<C> | undefined) => last } : {}),
  } as Parameters<typeof useQuery<AnswerOf<C>, ApiError>>[0]);
}

/**
 * Marks every kept answer of `call` as old, whatever its input; what is on screen is asked again.
 */
export function invalidate(call: Route): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: [call.path] });
}

/**
 * Keeps what a change answered as the newest answer of a call. A reading that is under way began
 * before the change and is given up: it would bring back what was there then.
 */
export async function replaceAnswer<C extends Route>(
  call: C,
  input: InputOf<C>,
  answer: AnswerOf<C>,
): Promise<void> {
  const key = queryKey(call, input);
  await queryClient.cancelQueries({ queryKey: key, exact: true });
  queryClient.setQueryData(key, answer);
}

/**
 * Changes a kept answer in place, as when the stream tells something newer. Nothing is kept:
 * nothing happens.
 */
export function updateCached<C extends Route>(
  call: C,
  input: InputOf<C>,
  change: (answer: AnswerOf<C>) => AnswerOf<C>,
): void {
  queryClient.setQueryData<AnswerOf<C>>(queryKey(call, input), (kept) =>
    kept ? change(kept) : kept,
  );
}

/**
 * `updateCached` for every input of a call, and for each loaded page of its lists (`useApiPages`).
 */
export function updateAllCached<C extends Route>(
  call: C,
  change: (answer: AnswerOf<C>) => AnswerOf<C>,
): void {
  type Kept = AnswerOf<C> | InfiniteData<AnswerOf<C>>;
  queryClient.setQueriesData<Kept>({ queryKey: [call.path] }, (kept) => {
    if (!kept) return kept;
    return isPaged<AnswerOf<C>>(kept)
      ? { ...kept, pages: kept.pages.map((page) => change(page)) }
      : change(kept as AnswerOf<C>);
  });
}

function isPaged<Answer>(kept: unknown): kept is InfiniteData<Answer> {
  return typeof kept === "object" && kept !== null && "pageParams" in kept;
}
