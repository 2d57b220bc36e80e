/** The eight languages, in the order of the language screen. The codes are those of the wire's `language` header. */
export const locales = ["en", "zh-TW", "cn", "fr", "ja", "it", "de", "sv"] as const;
export type Locale = (typeof locales)[number];

export const defaultLocale: Locale = "en";

/** Each language in its own words. */
export const localeNames: Record<Locale, string> = {
  en: "English",
  "zh-TW": "繁體中文",
  cn: "简体中文",
  fr: "Français",
  ja: "日本語",
  it: "Italiano",
  de: "Deutsch",
  sv: "Svenska",
};

/** The offer to go on in a language, in that language: it is made before its catalogue is loaded. */
export const readInThis: Record<Locale, string> = {
  en: "Continue in English",
  "zh-TW": "改用繁體中文",
  cn: "切换到简体中文",
  fr: "Continuer en français",
  ja: "日本語で続ける",
  it: "Continua in italiano",
  de: "Auf Deutsch weiter",
  sv: "Fortsätt på svenska",
};

/** BCP 47 tags, for `lang` and `Intl`. */
export const localeTags: Record<Locale, string> = {
  en: "en",
  "zh-TW": "zh-TW",
  cn: "zh-CN",
  fr: "fr",
  ja: "ja",
  it: "it",
  de: "de",
  sv: "sv",
};

export function isLocale(code: string | null | undefined): code is Locale {
  return (locales as readonly string[]).includes(code ?? "");
}

/** The first of a browser's wished languages ("zh-Hant-HK", "de-AT") that we have; null when there is none. */
export function matchLocale(wished: readonly string[]): Locale | null {
  for (const tag of wished) {
    const [language = "", ...rest] = tag.toLowerCase().split("-");
    if (language === "zh") {
      return rest.some((part) => ["hant", "tw", "hk", "mo"].includes(part)) ? "zh-TW" : "cn";
    }
    if (isLocale(language) && language !== "cn") return language;
  }
  return null;
}

/** Where a rise is red by habit. */
export function risesRed(locale: Locale): boolean {
  return locale === "cn" || locale === "zh-TW" || locale === "ja";
}
