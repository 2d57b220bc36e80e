import { reportError } from "#api/routes/meta.ts";
import { client } from "#web/lib/api/client.ts";

/** More reports from one page view add nothing new. */
const reportsMax = 5;
const reported = new Set<string>();

/**
 * Reports a failure of this page to the instance's error log: kind, name, message and address
 * without its query. Never throws.
 */
export function reportFailure(type: string, failure: unknown, stack = ""): void {
  const error = failure instanceof Error ? failure : new Error(String(failure));
  const message = `${error.message}\n${error.stack ?? ""}\n${stack}`;
  if (reported.size >= reportsMax || reported.has(message)) return;
  reported.add(message);
  const input = {
    type: type.slice(0, 40),
    code: writable(error.name, 80),
    message: writable(message, 2000),
    // The query is left out: it may contain an order's id or an invitation code.
    page_url: (location.origin + location.pathname).slice(0, 500),
  };
  client.call(reportError, input).catch(() => undefined);
}

/**
 * Cuts to length without splitting a character, and drops NUL, which the database does not store.
 */
function writable(text: string, length: number): string {
  return text.slice(0, length).toWellFormed().replaceAll("\0", "");
}

/** Reports errors and rejections that nothing else caught. */
export function watchFailures(): void {
  window.addEventListener("error", (event) => {
    if (event.error) reportFailure("script", event.error);
  });
  window.addEventListener("unhandledrejection", (event) => {
    if (event.reason?.name !== "ApiError" && event.reason?.name !== "AbortError") {
      reportFailure("promise", event.reason);
    }
  });
}
