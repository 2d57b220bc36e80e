import { CSPProvider } from "@base-ui/react/csp-provider";
import { QueryClientProvider } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { IntlProvider } from "react-intl";
import { BrowserRouter } from "react-router";
import { loadMessages, type Messages } from "#i18n/load.ts";
import { defaultLocale, type Locale, localeTags } from "#i18n/locales.ts";
import { queryClient } from "#web/app/client.ts";
import { reportFailure } from "#web/app/errorLog.ts";
import { Shell } from "#web/app/Shell.tsx";
import { useSettings } from "#web/app/settings.ts";

interface Language {
  locale: Locale;
  messages: Messages;
}

/** The app in the language of the settings; `first` is loaded before the first drawing. */
export function App({ first }: { first: Language }) {
  const { locale, messages } = useLanguage(first);
  return (
    <IntlProvider
      locale={localeTags[locale]}
      defaultLocale={localeTags[defaultLocale]}
      messages={messages}
      onError={(error) => reportFailure("message", error)}
    >
      <QueryClientProvider client={queryClient}>
        <CSPProvider disableStyleElements>
          <BrowserRouter>
            <Shell />
          </BrowserRouter>
        </CSPProvider>
      </QueryClientProvider>
    </IntlProvider>
  );
}

/** Follows the chosen language: the old one stays until the new one has come. */
function useLanguage(first: Language): Language {
  const { language: wished } = useSettings();
  const [shown, setShown] = useState(first);
  useEffect(() => {
    document.documentElement.lang = localeTags[shown.locale];
  }, [shown]);
  useEffect(() => {
    if (wished === shown.locale) return;
    let current = true;
    loadMessages(wished).then(
      (messages) => {
        if (!current) return;
        setShown({ locale: wished, messages });
        // The server's sentences are in the old language.
        void queryClient.invalidateQueries();
      },
      (failure: unknown) => reportFailure("chunk", failure),
    );
    return () => {
      current = false;
    };
  }, [wished, shown.locale]);
  return shown;
}
