import { getConfig } from "#api/routes/meta.ts";
import "#ui/tokens.css";
import { registerServiceWorker } from "#web/app/registerServiceWorker.ts";
import { routes } from "#web/app/routes.tsx";
import { Shell } from "#web/app/Shell.tsx";
import { client, queryClient } from "#web/lib/api/client.ts";
import { queryKey } from "#web/lib/api/useApiQuery.ts";
import { AppFrame } from "#web/lib/start/AppFrame.tsx";
import { startApp } from "#web/lib/start/startApp.tsx";

// `Arrival` decides where a navigation begins; the browser would scroll before the screen is there.
history.scrollRestoration = "manual";

/**
 * Asks at once for what the first screen needs, beside its words: its code, which it waits for, and
 * the configuration.
 */
function askAhead(): Promise<void> | undefined {
  const path = location.pathname === "/" ? "/home" : location.pathname;
  const code = routes.find((screen) => screen.path === path)?.Screen.preload();
  void queryClient.prefetchQuery({
    queryKey: queryKey(getConfig, {}),
    queryFn: async ({ signal }) => (await client.call(getConfig, {}, { signal })).data,
  });
  return code;
}

void startApp({
  app: (
    <AppFrame>
      <Shell />
    </AppFrame>
  ),
  first: askAhead(),
  failed: "Drydock could not load completely. Reload the page to try again.",
}).then((isDrawn) => {
  if (isDrawn) registerServiceWorker();
});
