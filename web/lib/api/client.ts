import { QueryClient } from "@tanstack/react-query";
import { ApiError, createClient } from "#api/client.ts";
import { sessionAwareFetch } from "#web/lib/api/unauthorizedFetch.ts";
import { getSettings } from "#web/lib/settings.ts";

/** The app's only API client. */
export const client = createClient({
  baseUrl: "",
  language: () => getSettings().language,
  fetch: sessionAwareFetch,
});

/**
 * Answers cached by path and input; see `useApiQuery`. A refusal is an answer: only requests that
 * never got through are retried.
 */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      // A home network without internet access still reaches our server, so the browser's "offline"
      // state is ignored.
      networkMode: "always",
      staleTime: 15_000,
      gcTime: 10 * 60_000,
      refetchOnWindowFocus: true,
      retry: (failures, error) => failures < 2 && isPassing(error),
      retryDelay: (attempt, error) =>
        error instanceof ApiError && error.retryAfterSeconds
          ? error.retryAfterSeconds * 1000
          : Math.min(8000, 500 * 2 ** attempt),
    },
    // The input may contain a PIN: it is not cached beyond the screen that sent it.
    mutations: { retry: false, networkMode: "always", gcTime: 0 },
  },
});

function isPassing(error: Error): boolean {
  return error instanceof ApiError && (error.error === "network.failed" || error.status >= 500);
}
