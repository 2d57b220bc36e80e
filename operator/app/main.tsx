import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { defaultLocale } from "#core/locales.ts";
import { needMessages, showLanguage } from "#i18n/load.ts";
import { App } from "#operator/app/App.tsx";
import "#operator/app/console.css";
import { reportFailure, watchFailures } from "#web/lib/errorLog.ts";
import { applySettings, currentSettings } from "#web/lib/settings.ts";

watchFailures();
applySettings();

/** The chosen language, or English when its chunk cannot be had. */
async function showFirst(): Promise<void> {
  const words = needMessages(["console", "powers", "acts"]);
  try {
    await showLanguage(currentSettings().language);
    await words;
  } catch (failure) {
    reportFailure("chunk", failure);
    await showLanguage(defaultLocale);
  }
}

const root = document.getElementById("root") as HTMLElement;
showFirst().then(
  () =>
    createRoot(root).render(
      <StrictMode>
        <App />
      </StrictMode>,
    ),
  (failure: unknown) => {
    reportFailure("start", failure);
    root.textContent = "The console could not load completely. Reload the page to try again.";
  },
);
