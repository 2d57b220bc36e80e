import { IconCheck } from "@tabler/icons-react";
import { locales } from "#core/locales.ts";
import { localeNames, localeTags } from "#i18n/locales.ts";
import { useText } from "#i18n/useText.ts";
import { Page } from "#ui/Page.tsx";
import { Section } from "#ui/Section.tsx";
import { changeSettings, useSettings } from "#web/lib/settings.ts";

/** Sorted by each language's own name. */
const sorted = locales.toSorted((a, b) => localeNames[a].localeCompare(localeNames[b], "en"));

/** The eight languages, each under its own name; a choice takes effect immediately. */
export default function LanguagePage() {
  const t = useText();
  const { language } = useSettings();
  return (
    <Page title={t("app.language.title")} back="/ucenter">
      <Section note={t("app.language.note")}>
        {sorted.map((locale) => (
          <label
            key={locale}
            lang={localeTags[locale]}
            className="flex min-h-14 items-center gap-3 px-4 transition-colors hover:bg-leaf has-checked:font-strong has-focus-visible:outline-2 has-focus-visible:-outline-offset-2 has-focus-visible:outline-signal-ink"
          >
            <input
              type="radio"
              name="language"
              checked={locale === language}
              onChange={() => changeSettings({ language: locale })}
              className="sr-only"
            />
            <span className="flex-1">{localeNames[locale]}</span>
            {locale === language ? (
              <IconCheck size={20} className="text-signal-ink" aria-hidden="true" />
            ) : null}
          </label>
        ))}
      </Section>
    </Page>
  );
}
