import { QueryClientProvider } from "@tanstack/react-query";
import { type ReactNode, useEffect } from "react";
import { IntlProvider } from "react-intl";
import { defaultLocale } from "#core/locales.ts";
import { messageStore, type ShownMessages, showLanguage } from "#i18n/load.ts";
import { localeTags } from "#i18n/locales.ts";
import { useStore } from "#ui/createStore.ts";
import { Router } from "#ui/router.tsx";
import { queryClient } from "#web/lib/api/client.ts";
import { useSettings } from "#web/lib/settings.ts";
import { reportFailure } from "#web/lib/start/errorLog.ts";
import { ScreenBoundary } from "#web/lib/start/ScreenBoundary.tsx";

/**
 * The frame that the phone app and the console share: the language from the settings, the query
 * cache, the router.
 */
export function AppFrame({ children }: { children: ReactNode }) {
  const { locale, messages } = useLanguage();
  return (
    <IntlProvider
      locale={localeTags[locale]}
      defaultLocale={localeTags[defaultLocale]}
      messages={messages}
      onError={(error) => reportFailure("message", error)}
    >
      <QueryClientProvider client={queryClient}>
        <Router>
          {/* No other boundary encloses the frame: an error in it would leave an empty page. */}
          <ScreenBoundary>{children}</ScreenBoundary>
        </Router>
      </QueryClientProvider>
    </IntlProvider>
  );
}

/** Follows the chosen language: the old one stays until the new one has loaded. */
function useLanguage(): ShownMessages {
  const { language } = useSettings();
  const shownMessages = useStore(messageStore);
  useEffect(() => {
    document.documentElement.lang = localeTags[shownMessages.locale];
  }, [shownMessages.locale]);
  useEffect(() => {
    if (language === messageStore.read().locale) return;
    showLanguage(language).then(
      // Cached messages of the server are in the old language.
      () => queryClient.invalidateQueries(),
      (error: unknown) => reportFailure("chunk", error),
    );
  }, [language]);
  return shownMessages;
}
