import { IconX } from "@tabler/icons-react";
import { useState } from "react";
import type { Locale } from "#core/locales.ts";
import { localeTags, matchLocale, readInThis } from "#i18n/locales.ts";
import { useText } from "#i18n/useText.ts";
import { IconButton } from "#ui/IconButton.tsx";
import { changeSettings, languageChosen, useSettings } from "#web/lib/settings.ts";

/** Offers the browser's language, in that language; either answer dismisses it for good. */
export function LanguageOffer() {
  const t = useText();
  const { language } = useSettings();
  const [wished] = useState<Locale | null>(() =>
    languageChosen() ? null : matchLocale(navigator.languages),
  );
  const [answered, setAnswered] = useState(false);
  if (answered || wished === null || wished === language) return null;
  const answer = (chosen: Locale) => {
    setAnswered(true);
    changeSettings({ language: chosen });
  };
  return (
    <div className="mx-auto flex max-w-120 items-center border-b border-line pl-4">
      <button
        type="button"
        lang={localeTags[wished]}
        className="min-h-11 flex-1 text-left text-small font-strong text-signal-ink"
        onClick={() => answer(wished)}
      >
        {readInThis[wished]}
      </button>
      <IconButton label={t("app.language.keep")} onClick={() => answer(language)}>
        <IconX size={18} aria-hidden="true" />
      </IconButton>
    </div>
  );
}
