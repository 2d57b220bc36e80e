import { trustedScript } from "#web/lib/start/trustedScript.ts";

const path = "/service-worker.js";

/**
 * Registers the service worker where there is one: a plain http address on a home network has none,
 * and nothing needs it.
 */
export function registerServiceWorker(): void {
  if (!import.meta.env.PROD || !("serviceWorker" in navigator)) return;
  navigator.serviceWorker
    .register(trustedScript(path))
    .then(() => navigator.serviceWorker.ready)
    .then((registration) => registration.active?.postMessage({ keep: loadedAssets() }))
    // Without it the app works as before; there is nothing to tell.
    .catch(() => undefined);
}

/**
 * What this page already loaded came before the worker: it keeps them for a start without network.
 */
function loadedAssets(): string[] {
  return performance
    .getEntriesByType("resource")
    .map(({ name }) => name)
    .filter((name) => name.startsWith(`${location.origin}/assets/`));
}
