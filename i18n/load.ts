import type { MessageFormatElement } from "react-intl";
import type { Locale } from "#i18n/locales.ts";

/** A compiled catalogue: plain text as it is, anything with arguments as its parsed form. */
export type Catalogue = Record<string, string | MessageFormatElement[]>;
export type Messages = Record<string, MessageFormatElement[]>;

/** One lazy chunk per language; `scripts/viteMessages.ts` makes them from `i18n/<locale>/*.json`. */
const loaders: Record<Locale, () => Promise<{ default: Catalogue }>> = {
  en: () => import("virtual:messages/en"),
  "zh-TW": () => import("virtual:messages/zh-TW"),
  cn: () => import("virtual:messages/cn"),
  fr: () => import("virtual:messages/fr"),
  ja: () => import("virtual:messages/ja"),
  it: () => import("virtual:messages/it"),
  de: () => import("virtual:messages/de"),
  sv: () => import("virtual:messages/sv"),
};

/** The messages of `locale`, ready for `IntlProvider`. Rejects when the chunk cannot be loaded. */
export async function loadMessages(locale: Locale): Promise<Messages> {
  const { default: catalogue } = await loaders[locale]();
  return Object.fromEntries(
    Object.entries(catalogue).map(([key, message]) => [
      key,
      typeof message === "string" ? [{ type: 0, value: message } as MessageFormatElement] : message,
    ]),
  );
}
