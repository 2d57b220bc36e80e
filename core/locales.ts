/**
 * The languages of the interface, of server messages and of posts, in the order of the language
 * screen; English first. The codes are those of the wire's `language` header. What a new one needs:
 * CONTRIBUTING.md, "A new language".
 */
export const locales = ["en", "zh-TW", "cn", "fr", "ja", "it", "de", "sv"] as const;
export type Locale = (typeof locales)[number];

export const defaultLocale: Locale = "en";

export function isLocale(code: string | null | undefined): code is Locale {
  return (locales as readonly string[]).includes(code ?? "");
}
