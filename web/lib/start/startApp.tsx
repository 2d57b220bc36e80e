import { type ReactNode, StrictMode, startTransition } from "react";
import { createRoot } from "react-dom/client";
import { defaultLocale } from "#core/locales.ts";
import { loadMessages, showLanguage } from "#i18n/load.ts";
import { applySettings, followOtherTabs, getSettings } from "#web/lib/settings.ts";
import { reportFailure, watchFailures } from "#web/lib/start/errorLog.ts";

interface Start {
  app: ReactNode;
  /** Message namespaces of the app's frame. */
  namespaces?: readonly string[];
  /** A further promise that the start awaits. */
  first?: Promise<unknown> | undefined;
  /** Shown when the app cannot start; in English, as there may be no messages. */
  failed: string;
}

/**
 * Renders an app into the page once its messages have loaded. A failure is shown and reported;
 * resolves to true if it rendered.
 */
export async function startApp({ app, namespaces = [], first, failed }: Start): Promise<boolean> {
  const root = document.getElementById("root") as HTMLElement;
  watchFailures();
  applySettings();
  followOtherTabs();
  try {
    // React keeps a rendered Suspense fallback for 300 ms, so nothing is rendered before its code
    // has loaded.
    await Promise.all([renderFirst(namespaces), first]);
  } catch (error) {
    reportFailure("start", error);
    root.textContent = failed;
    return false;
  }
  // In a transition React checks whether the code has loaded before it renders a fallback.
  startTransition(() => createRoot(root).render(<StrictMode>{app}</StrictMode>));
  return true;
}

/** Loads the chosen language, or English when its chunk is unavailable. */
async function renderFirst(namespaces: readonly string[]): Promise<void> {
  const { language } = getSettings();
  try {
    await Promise.all([showLanguage(language), loadMessages(namespaces)]);
  } catch (error) {
    if (language === defaultLocale) throw error;
    reportFailure("chunk", error);
    await showLanguage(defaultLocale);
  }
}
