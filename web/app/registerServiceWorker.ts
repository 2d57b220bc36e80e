import { createScriptUrl } from "#web/lib/start/createScriptUrl.ts";

const path = "/service-worker.js";

/**
 * Registers the service worker where supported; over plain http on a home network it is not, and
 * nothing depends on it.
 */
export function registerServiceWorker(): void {
  if (!import.meta.env.PROD || !("serviceWorker" in navigator)) return;
  navigator.serviceWorker
    .register(createScriptUrl(path))
    .then(() => navigator.serviceWorker.ready)
    .then((registration) => registration.active?.postMessage({ keep: loadedAssets() }))
    // The app works without the service worker, so there is nothing to report.
    .catch(() => undefined);
}

/**
 * Assets this page loaded before the worker was active; the worker caches them for an offline
 * start.
 */
function loadedAssets(): string[] {
  return performance
    .getEntriesByType("resource")
    .map(({ name }) => name)
    .filter((name) => name.startsWith(`${location.origin}/assets/`));
}
