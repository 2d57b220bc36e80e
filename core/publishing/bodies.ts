/** What can be published, and the form of each: as it is on the wire, in a draft and in a version. */

/** The languages of the interface, in the order in which a text is looked for when the wanted one is missing: English first. */
export const postLanguages = ["en", "zh-TW", "cn", "fr", "ja", "it", "de", "sv"] as const;
export type PostLanguage = (typeof postLanguages)[number];
export type ByLanguage<Text> = Partial<Record<PostLanguage, Text>>;

export interface NewsText {
  title: string;
  summary: string;
  /** Markdown without HTML and pictures. */
  body: string;
}
export interface NewsBody {
  languages: ByLanguage<NewsText>;
}

export const noticeTypes = ["bar", "dialog"] as const;
export const noticeSeverities = ["plain", "important"] as const;
interface NoticeText {
  /** Empty in a bar. */
  title: string;
  text: string;
}
export interface NoticeBody {
  type: (typeof noticeTypes)[number];
  severity: (typeof noticeSeverities)[number];
  /** Real time between which it is shown; null: from its publication, until it is withdrawn. */
  from_ms: number | null;
  until_ms: number | null;
  languages: ByLanguage<NoticeText>;
}

export interface LinkBody {
  url: string;
  languages: ByLanguage<{ title: string }>;
}

/** Amounts are decimal pUSDT. */
export interface TiersBody {
  symbol: string;
  tiers: {
    seconds: number;
    range_bp: number;
    rate_bp: number;
    fee_bp: number;
    stake_min: string;
    stake_max: string;
    orders_per_day: number | null;
  }[];
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
  /** Decimal TH/s. */
  hashrate_ths: string;
  power_w: number;
  price_per_day: string;
  electricity_per_kwh: string;
  stock: number;
  quantity_max: number;
  days_min: number;
  days_max: number;
}

export interface Bodies {
  news: NewsBody;
  notice: NoticeBody;
  help_link: LinkBody;
  support_link: LinkBody;
  contract_tiers: TiersBody;
  pool: PoolBody;
  machine: MachineBody;
}
export type Kind = keyof Bodies;
export const kindNames = [
  "news",
  "notice",
  "help_link",
  "support_link",
  "contract_tiers",
  "pool",
  "machine",
] as const satisfies Kind[];

/** Most characters of each text, in UTF-16 units as a text field counts them. */
export const textMax = {
  newsTitle: 120,
  newsSummary: 280,
  newsBody: 4_000,
  noticeTitle: 80,
  noticeText: 280,
  linkTitle: 80,
  url: 500,
} as const;

/** What a publication of this body is about when there may be one only; null for texts, of which there may be many. */
export function subjectOf<Name extends Kind>(kind: Name, body: Bodies[Name]): string | null {
  if (kind === "contract_tiers") return (body as TiersBody).symbol;
  if (kind === "pool") return (body as PoolBody).pool_id;
  if (kind === "machine") return (body as MachineBody).product_id;
  return null;
}

/**
 * The text for a reader of `wanted`: in that language, else in English, else in the first there is. `language` is the one it is
 * in, so that a page can say so. Null when there is none at all.
 */
export function textFor<Text>(
  languages: ByLanguage<Text>,
  wanted: PostLanguage,
): { language: PostLanguage; text: Text } | null {
  for (const language of [wanted, ...postLanguages]) {
    const text = languages[language];
    if (text !== undefined) return { language, text };
  }
  return null;
}
