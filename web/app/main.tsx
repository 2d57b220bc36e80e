import { getConfig } from "#api/routes/meta.ts";
import "#ui/tokens.css";
import { idleUnless, whenIdle } from "#ui/whenIdle.ts";
import { routes } from "#web/app/routes.tsx";
import { Shell } from "#web/app/Shell.tsx";
import { captureInvite } from "#web/features/session/invite.ts";
import { queryClient } from "#web/lib/api/client.ts";
import { prefetch } from "#web/lib/api/useApiQuery.ts";
import { AppFrame } from "#web/lib/start/AppFrame.tsx";
import { startApp } from "#web/lib/start/startApp.tsx";

// `ScrollRestoration` sets the scroll position; the browser would restore it before the screen has rendered.
history.scrollRestoration = "manual";
idleUnless(() => queryClient.isFetching() > 0);
captureInvite(location.search);

/**
 * Prefetches what the first screen needs, in parallel with its messages: its code, which start-up
 * awaits, and the configuration.
 */
function prefetchFirstScreen(): Promise<void> | undefined {
  const path = location.pathname === "/" ? "/home" : location.pathname;
  const code = routes.find((screen) => screen.path === path)?.Screen.preload();
  prefetch(getConfig, {});
  return code;
}

void startApp({
  app: (
    <AppFrame>
      <Shell />
    </AppFrame>
  ),
  first: prefetchFirstScreen(),
  failed: "Drydock could not load completely. Reload the page to try again.",
}).then((isDrawn) => {
  if (isDrawn) whenIdle(() => void cacheForOffline());
});

/** The app works without the service worker, so there is nothing to report. */
function cacheForOffline(): Promise<void> {
  return import("#web/app/registerServiceWorker.ts").then(
    ({ registerServiceWorker }) => registerServiceWorker(),
    () => undefined,
  );
}
