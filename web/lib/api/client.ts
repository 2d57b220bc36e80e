import { QueryClient } from "@tanstack/react-query";
import { ApiError, createClient } from "#api/client.ts";
import { sessionAwareFetch } from "#web/lib/api/unauthorizedFetch.ts";
import { currentSettings } from "#web/lib/settings.ts";

/** The one client of the app. */
export const client = createClient({
  baseUrl: "",
  language: () => currentSettings().language,
  fetch: sessionAwareFetch,
});

/**
 * Answers kept by path and input; see `useApiQuery`. A refusal is an answer: only what never got
 * through is tried again.
 */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      // A home network without the internet still has our server, so the browser's own "offline"
      // decides nothing.
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
    // What was sent can hold a PIN: nothing keeps it longer than the screen that sent it.
    mutations: { retry: false, networkMode: "always", gcTime: 0 },
  },
});

function isPassing(error: Error): boolean {
  return error instanceof ApiError && (error.error === "network.failed" || error.status >= 500);
}
