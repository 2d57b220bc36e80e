import { globSync, readFileSync } from "node:fs";
import type { IncomingHttpHeaders } from "node:http";
import { join } from "node:path";
import { createIntl, createIntlCache, type IntlShape } from "@formatjs/intl";
import { defaultLocale, isLocale, type Locale } from "#core/locales.ts";
import { localeTags, matchLocale } from "#i18n/locales.ts";

export type MessageValues = Readonly<Record<string, string | number>>;

export interface Messages {
  /** The text of `key`: in the language, else in English, else the key itself. */
  format(language: Locale, key: string, values?: MessageValues): string;
}

/** The language named by a `language` header; English if it is not one of ours. */
export function parseLanguage(header: string | string[] | undefined): Locale {
  return typeof header === "string" && isLocale(header) ? header : defaultLocale;
}

/** How much of an `accept-language` header is read, in characters. */
const acceptLanguageMax = 200;

/** The first language of the `accept-language` header that is one of ours; else English. */
export function getBrowserLanguage(headers: IncomingHttpHeaders): Locale {
  const tags = (headers["accept-language"] ?? "")
    .slice(0, acceptLanguageMax)
    .split(",")
    .map((language) => language.split(";")[0]!.trim());
  return matchLocale(tags) ?? defaultLocale;
}

/**
 * The language to answer in: that of the `language` header, or the browser's where there is none,
 * as in a download or a picture, which send no headers of ours.
 */
export function getRequestLanguage(headers: IncomingHttpHeaders): Locale {
  const { language } = headers;
  return language === undefined ? getBrowserLanguage(headers) : parseLanguage(language);
}

/** Reads `i18n/<namespace>/<locale>.json`, each language when it is first needed. */
export function createMessages(
  directory: string = join(import.meta.dirname, "../../../i18n"),
): Messages {
  const cache = createIntlCache();
  const intlByLocale = new Map<Locale, IntlShape<string>>();
  const getIntl = (language: Locale) => {
    const cached = intlByLocale.get(language);
    if (cached) return cached;
    const intl = createIntl(
      {
        locale: localeTags[language],
        messages: readCatalogue(directory, language),
        timeZone: "UTC",
        onError: (error) => {
          throw error;
        },
      },
      cache,
    );
    intlByLocale.set(language, intl);
    return intl;
  };
  return {
    format: (language, key, values) => {
      for (const candidate of language === "en" ? (["en"] as const) : [language, "en" as const]) {
        const intl = getIntl(candidate);
        if (!Object.hasOwn(intl.messages, key)) continue;
        try {
          return String(intl.formatMessage({ id: key }, values));
        } catch {
          // A value the sentence needs is missing: try the next language, then the bare key.
        }
      }
      return key;
    },
  };
}

function readCatalogue(directory: string, language: Locale): Record<string, string> {
  const files = globSync(join(directory, "*", `${language}.json`));
  return Object.assign({}, ...files.map((file) => JSON.parse(readFileSync(file, "utf8"))));
}
