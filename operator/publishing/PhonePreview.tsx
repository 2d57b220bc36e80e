import { type ReactNode, useEffect, useState } from "react";
import { IntlProvider } from "react-intl";
import type { Locale } from "#core/locales.ts";
import { loadMessagesIn, type Messages } from "#i18n/load.ts";
import { localeTags } from "#i18n/locales.ts";
import { PracticeBand } from "#ui/PracticeBand.tsx";
import { SkeletonRows } from "#ui/Skeleton.tsx";
import { reportFailure } from "#web/lib/start/errorLog.ts";

export interface PhonePreviewProps {
  language: Locale;
  theme: "light" | "dark";
  /** Message namespaces that the content uses. */
  parts: readonly string[];
  /** Name of the frame, in the operator's language. */
  label: string;
  children: ReactNode;
  /** Anchored at the bottom, over the content. */
  foot?: ReactNode;
}

/**
 * A phone frame of 360 px in any language and theme, rendered with the phone app's own components.
 * It is not an iframe, which the policy forbids; its content has its own messages and colours.
 * Links to pages of this instance are disabled here.
 */
export function PhonePreview({ language, theme, parts, label, children, foot }: PhonePreviewProps) {
  const messages = useMessages(language, parts);
  return (
    <div
      lang={localeTags[language]}
      className="relative mx-auto flex h-150 w-full max-w-[362px] flex-col overflow-hidden rounded-dock border border-line-strong bg-paper text-ink"
      style={{ colorScheme: theme, contain: "layout paint" }}
    >
      {messages ? (
        <IntlProvider
          locale={localeTags[language]}
          messages={messages}
          onError={(error) => reportFailure("message", error)}
        >
          <PracticeBand />
          <section
            aria-label={label}
            // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
            tabIndex={0} // oxlint-disable-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must take the keyboard
            className="min-h-0 flex-1 overflow-y-auto pt-6 pb-6 focus-visible:-outline-offset-2"
            onClickCapture={(event) => {
              if ((event.target as HTMLElement).closest("a[href^='/']")) event.preventDefault();
            }}
          >
            {children}
          </section>
          {foot}
        </IntlProvider>
      ) : (
        <div className="pt-6">
          <SkeletonRows />
        </div>
      )}
    </div>
  );
}

/** Messages of a language other than the one on screen, if need be; null while they load. */
function useMessages(language: Locale, parts: readonly string[]): Messages | null {
  const [loaded, setLoaded] = useState<{ language: Locale; messages: Messages } | null>(null);
  const namespaceList = parts.join(",");
  useEffect(() => {
    let current = true;
    loadMessagesIn(language, namespaceList.split(",")).then(
      (messages) => current && setLoaded({ language, messages }),
      (error: unknown) => reportFailure("chunk", error),
    );
    return () => {
      current = false;
    };
  }, [language, namespaceList]);
  return loaded?.language === language ? loaded.messages : null;
}
