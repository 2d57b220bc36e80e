import { QueryClientProvider } from "@tanstack/react-query";
import { useEffect, useSyncExternalStore } from "react";
import { IntlProvider } from "react-intl";
import { BrowserRouter } from "react-router";
import { defaultLocale } from "#core/locales.ts";
import { messageStore, type Shown, showLanguage } from "#i18n/load.ts";
import { localeTags } from "#i18n/locales.ts";
import { Shell } from "#web/app/Shell.tsx";
import { queryClient } from "#web/lib/client.ts";
import { reportFailure } from "#web/lib/errorLog.ts";
import { ScreenBoundary } from "#web/lib/ScreenBoundary.tsx";
import { useSettings } from "#web/lib/settings.ts";

/** The app in the language of the settings. `main.tsx` has loaded the first one before the first drawing. */
export function App() {
  const { locale, messages } = useLanguage();
  return (
    <IntlProvider
      locale={localeTags[locale]}
      defaultLocale={localeTags[defaultLocale]}
      messages={messages}
      onError={(error) => reportFailure("message", error)}
    >
      <QueryClientProvider client={queryClient}>
        <BrowserRouter>
          {/* The frame has none around it otherwise: what broke there would leave an empty page. */}
          <ScreenBoundary>
            <Shell />
          </ScreenBoundary>
        </BrowserRouter>
      </QueryClientProvider>
    </IntlProvider>
  );
}

/** Follows the chosen language: the old one stays until the new one has come. */
function useLanguage(): Shown {
  const { language } = useSettings();
  const shown = useSyncExternalStore(messageStore.subscribe, messageStore.read);
  useEffect(() => {
    document.documentElement.lang = localeTags[shown.locale];
  }, [shown.locale]);
  useEffect(() => {
    if (language === messageStore.read().locale) return;
    showLanguage(language).then(
      // The server's sentences that are kept are in the old language.
      () => queryClient.invalidateQueries(),
      (failure: unknown) => reportFailure("chunk", failure),
    );
  }, [language]);
  return shown;
}
