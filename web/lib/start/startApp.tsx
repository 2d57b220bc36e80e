import { type ReactNode, StrictMode, startTransition } from "react";
import { createRoot } from "react-dom/client";
import { defaultLocale } from "#core/locales.ts";
import { loadMessages, showLanguage } from "#i18n/load.ts";
import { applySettings, currentSettings } from "#web/lib/settings.ts";
import { reportFailure, watchFailures } from "#web/lib/start/errorLog.ts";

interface Start {
  app: ReactNode;
  /** Messages that its frame says. */
  namespaces?: readonly string[];
  /** What is waited for besides. */
  first?: Promise<unknown> | undefined;
  /** What stands in the page when it cannot start; in English, for there may be no messages. */
  failed: string;
}

/**
 * Draws an app into the page once its words are there. What fails is said and reported; resolves
 * with whether it is drawn.
 */
export async function startApp({ app, namespaces = [], first, failed }: Start): Promise<boolean> {
  const root = document.getElementById("root") as HTMLElement;
  watchFailures();
  applySettings();
  try {
    // React keeps what stands for a loading screen for 300 ms once it is drawn, so nothing is drawn
    // before its code is there.
    await Promise.all([showFirst(namespaces), first]);
  } catch (failure) {
    reportFailure("start", failure);
    root.textContent = failed;
    return false;
  }
  // In a transition React looks whether code has come before it draws what stands for it.
  startTransition(() => createRoot(root).render(<StrictMode>{app}</StrictMode>));
  return true;
}

/** The chosen language, or English when its chunk cannot be had. */
async function showFirst(namespaces: readonly string[]): Promise<void> {
  const { language } = currentSettings();
  try {
    await Promise.all([showLanguage(language), loadMessages(namespaces)]);
  } catch (failure) {
    if (language === defaultLocale) throw failure;
    reportFailure("chunk", failure);
    await showLanguage(defaultLocale);
  }
}
