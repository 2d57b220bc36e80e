import { StrictMode, startTransition } from "react";
import { createRoot } from "react-dom/client";
import { getConfig } from "#api/meta.ts";
import { defaultLocale } from "#core/locales.ts";
import { showLanguage } from "#i18n/load.ts";
import "#ui/tokens.css";
import { App } from "#web/app/App.tsx";
import { registerServiceWorker } from "#web/app/registerServiceWorker.ts";
import { screens } from "#web/app/routes.tsx";
import { client, queryClient } from "#web/lib/client.ts";
import { reportFailure, watchFailures } from "#web/lib/errorLog.ts";
import { applySettings, currentSettings } from "#web/lib/settings.ts";
import { keyOf } from "#web/lib/useApiQuery.ts";

watchFailures();
// Each navigation begins at the top, back included (docs/rules); the browser would scroll after us.
history.scrollRestoration = "manual";
applySettings();

/** The chosen language, or English when its chunk cannot be had. */
async function showFirst(): Promise<void> {
  const { language } = currentSettings();
  try {
    await showLanguage(language);
  } catch (failure) {
    if (language === defaultLocale) throw failure;
    reportFailure("chunk", failure);
    await showLanguage(defaultLocale);
  }
}

/** Asks at once for what the first screen needs, beside its words: its code, which it waits for, and the configuration. */
function askAhead(): Promise<void> | undefined {
  const path = location.pathname === "/" ? "/home" : location.pathname;
  const code = screens.find((screen) => screen.path === path)?.Screen.preload();
  void queryClient.prefetchQuery({
    queryKey: keyOf(getConfig, {}),
    queryFn: async ({ signal }) => (await client.call(getConfig, {}, { signal })).data,
  });
  return code;
}

const root = document.getElementById("root") as HTMLElement;
// React keeps what stands for a loading screen for 300 ms once it is drawn, so nothing is drawn before the screen's code is there.
const first = Promise.all([showFirst(), askAhead()]);
first.then(
  () => {
    // In a transition React looks whether code has come before it draws what stands for it.
    startTransition(() => {
      createRoot(root).render(
        <StrictMode>
          <App />
        </StrictMode>,
      );
    });
    registerServiceWorker();
  },
  (failure: unknown) => {
    reportFailure("start", failure);
    root.textContent = "Drydock could not load completely. Reload the page to try again.";
  },
);
