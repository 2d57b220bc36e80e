import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { loadMessages } from "#i18n/load.ts";
import { defaultLocale, localeTags } from "#i18n/locales.ts";
import "#ui/tokens.css";
import { App } from "#web/app/App.tsx";
import { reportFailure, watchFailures } from "#web/app/errorLog.ts";
import { registerServiceWorker } from "#web/app/registerServiceWorker.ts";
import { applySettings, currentSettings } from "#web/app/settings.ts";

watchFailures();
applySettings();

/** The chosen language, or English when its chunk cannot be had; with neither the page offers a reload by itself. */
async function firstLanguage() {
  const { language } = currentSettings();
  try {
    return { locale: language, messages: await loadMessages(language) };
  } catch (failure) {
    reportFailure("chunk", failure);
    return { locale: defaultLocale, messages: await loadMessages(defaultLocale) };
  }
}

const root = document.getElementById("root") as HTMLElement;
firstLanguage().then(
  (first) => {
    document.documentElement.lang = localeTags[first.locale];
    createRoot(root).render(
      <StrictMode>
        <App first={first} />
      </StrictMode>,
    );
    registerServiceWorker();
  },
  (failure: unknown) => {
    reportFailure("start", failure);
    root.textContent = "Drydock could not load completely. Reload the page to try again.";
  },
);
