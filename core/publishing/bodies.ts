/** The publishable kinds, with the form each has on the wire, in a draft and in a version. */

import { type Locale, locales } from "#core/locales.ts";

/** Languages a post can be written in, in fallback order. */
export const postLanguages = locales;
export type PostLanguage = Locale;
export type ByLanguage<Text> = { [Language in PostLanguage]?: Text | undefined };

export interface NewsText {
  title: string;
  summary: string;
  /** Markdown without HTML or images. */
  body: string;
}
export interface NewsBody {
  languages: ByLanguage<NewsText>;
}

export const noticeTypes = ["bar", "dialog"] as const;
export const noticeSeverities = ["plain", "important"] as const;
interface NoticeText {
  /** Empty for a bar notice. */
  title: string;
  text: string;
}
export interface NoticeBody {
  type: (typeof noticeTypes)[number];
  severity: (typeof noticeSeverities)[number];
  /** Display period in real time; null: from publication, or until unpublished. */
  from_ms: number | null;
  until_ms: number | null;
  languages: ByLanguage<NoticeText>;
}

export interface LinkBody {
  url: string;
  languages: ByLanguage<{ title: string }>;
}

export interface PoolBody {
  pool_id: string;
  strategy: string;
  venues: string[];
  symbols: string[];
  minimum: string;
  maximum: string;
}

export interface MachineBody {
  product_id: string;
  maker: string;
  model: string;
  source: string;
  /** Decimal, in TH/s. */
  hashrate_ths: string;
  power_w: number;
  price_per_day: string;
  electricity_per_kwh: string;
  stock: number;
  quantity_max: number;
  days_min: number;
  days_max: number;
}

export const kindNames = [
  "news",
  "notice",
  "help_link",
  "support_link",
  "contract_tiers",
  "pool",
  "machine",
] as const;
export type Kind = (typeof kindNames)[number];

/** Maximum length of each text, in UTF-16 units like a text field. */
export const textMax = {
  newsTitle: 120,
  newsSummary: 280,
  newsBody: 4_000,
  noticeTitle: 80,
  noticeText: 280,
  linkTitle: 80,
  url: 500,
} as const;

/**
 * The text for a reader of `preferred`: in that language, else in English, else in the first
 * available one. `language` is the language found, so that a page can declare it. Null when there
 * is no text at all.
 */
export function chooseText<Text>(
  languages: ByLanguage<Text>,
  preferred: PostLanguage,
): { language: PostLanguage; text: Text } | null {
  for (const language of [preferred, ...postLanguages]) {
    const text = languages[language];
    if (text !== undefined) return { language, text };
  }
  return null;
}
