import { QueryClientProvider } from "@tanstack/react-query";
import { useEffect, useSyncExternalStore } from "react";
import { IntlProvider } from "react-intl";
import { BrowserRouter } from "react-router";
import { defaultLocale } from "#core/locales.ts";
import { messageStore, type Shown, showLanguage } from "#i18n/load.ts";
import { localeTags } from "#i18n/locales.ts";
import { Console } from "#operator/app/Console.tsx";
import { Toaster } from "#ui/overlay/Toaster.tsx";
import { PracticeBand } from "#ui/PracticeBand.tsx";
import { SessionHost } from "#web/features/session/SessionHost.tsx";
import { queryClient } from "#web/lib/client.ts";
import { reportFailure } from "#web/lib/errorLog.ts";
import { ScreenBoundary } from "#web/lib/ScreenBoundary.tsx";
import { useSettings } from "#web/lib/settings.ts";

/** The console in the language of the settings, which it shares with the phone app. */
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
          <ScreenBoundary>
            <PracticeBand />
            <Console />
            <SessionHost />
            <Toaster />
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
      () => queryClient.invalidateQueries(),
      (failure: unknown) => reportFailure("chunk", failure),
    );
  }, [language]);
  return shown;
}
