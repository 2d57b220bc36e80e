const path = "/service-worker.js";

interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL: (url: string) => string },
  ): { createScriptURL: (url: string) => string };
}

/**
 * Registers the service worker where there is one: a plain http address on a home network has none, and nothing needs it.
 * The policy lets this one address through and no other.
 */
export function registerServiceWorker(): void {
  if (!import.meta.env.PROD || !("serviceWorker" in navigator)) return;
  const { trustedTypes } = window as unknown as { trustedTypes?: TrustedTypes };
  const policy = trustedTypes?.createPolicy("drydock", {
    createScriptURL: (url) => {
      if (url !== path) throw new TypeError("not a script of ours");
      return url;
    },
  });
  navigator.serviceWorker
    .register(policy ? policy.createScriptURL(path) : path)
    .then(() => navigator.serviceWorker.ready)
    .then((registration) => registration.active?.postMessage({ keep: loadedAssets() }))
    // Without it the app works as before; there is nothing to tell.
    .catch(() => undefined);
}

/** What this page already loaded came before the worker: it keeps them for a start without network. */
function loadedAssets(): string[] {
  return performance
    .getEntriesByType("resource")
    .map(({ name }) => name)
    .filter((name) => name.startsWith(`${location.origin}/assets/`));
}
