/**
 * The languages of the interface, server messages and posts, in the order of the language screen,
 * English first. Codes are those of the wire's `language` header. To add one: CONTRIBUTING.md, "A
 * new language".
 */
export const locales = ["en", "zh-TW", "cn", "fr", "ja", "it", "de", "sv"] as const;
export type Locale = (typeof locales)[number];

export const defaultLocale: Locale = "en";

export function isLocale(code: string | null | undefined): code is Locale {
  return (locales as readonly string[]).includes(code ?? "");
}
