import { isLocale, type Locale, locales } from "#core/locales.ts";

/** The properties of a language that the interface and the server need, besides its messages. */
interface LocaleRow {
  /** The language's own name for itself. */
  name: string;
  /** BCP 47, for `lang` and `Intl`. */
  tag: string;
  /** True if a rise is conventionally red. */
  risesRed: boolean;
  /** Countries (ISO 3166) in which its readers are likely to live, most likely first. */
  countries: readonly string[];
}

const rows: Readonly<Record<Locale, LocaleRow>> = {
  en: {
    name: "English",
    // British dates: "23 Nov 2026, 14:05".
    tag: "en-GB",
    risesRed: false,
    countries: ["US", "GB", "CA", "AU"],
  },
  "zh-TW": {
    name: "繁體中文",
    tag: "zh-TW",
    risesRed: true,
    countries: ["TW"],
  },
  cn: {
    name: "简体中文",
    tag: "zh-CN",
    risesRed: true,
    countries: ["CN"],
  },
  fr: {
    name: "Français",
    tag: "fr",
    risesRed: false,
    countries: ["FR", "CH", "CA"],
  },
  ja: {
    name: "日本語",
    tag: "ja",
    risesRed: true,
    countries: ["JP"],
  },
  it: {
    name: "Italiano",
    tag: "it",
    risesRed: false,
    countries: ["IT", "CH"],
  },
  de: {
    name: "Deutsch",
    tag: "de",
    risesRed: false,
    countries: ["DE", "AT", "CH"],
  },
  sv: {
    name: "Svenska",
    tag: "sv",
    risesRed: false,
    countries: ["SE", "FI"],
  },
};

function column<Name extends keyof LocaleRow>(name: Name): Record<Locale, LocaleRow[Name]> {
  const values = locales.map((locale) => [locale, rows[locale][name]]);
  return Object.fromEntries(values) as Record<Locale, LocaleRow[Name]>;
}

export const localeNames = column("name");
export const localeTags = column("tag");
export const listCountries = column("countries");

/**
 * The first of a browser's preferred languages ("zh-Hant-HK", "de-AT") that is supported; null if
 * none is.
 */
export function matchLocale(preferred: readonly string[]): Locale | null {
  for (const tag of preferred) {
    const [language = "", ...rest] = tag.toLowerCase().split("-");
    if (language === "zh") {
      return rest.some((part) => ["hant", "tw", "hk", "mo"].includes(part)) ? "zh-TW" : "cn";
    }
    if (isLocale(language) && language !== "cn") return language;
  }
  return null;
}

/** Returns true if a rise is conventionally red in this language. */
export function isRiseRed(locale: Locale): boolean {
  return rows[locale].risesRed;
}
