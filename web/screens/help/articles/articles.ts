export interface Article {
  /** Its texts are `help.article.<id>.title|1|2|3`. */
  id: string;
  /** The screen that the article is about. */
  to: string;
}

/** The articles, in the order of a first visit. */
export const articles: readonly Article[] = [
  { id: "practice", to: "/wallet" },
  { id: "signin", to: "/authorized-activity" },
  { id: "wallet", to: "/wallet" },
  { id: "send", to: "/wallet-info?coin=pUSDT&do=receive" },
  { id: "contracts", to: "/business" },
  { id: "hosting", to: "/ai/intro" },
  { id: "mining", to: "/mining/intro" },
  { id: "receipts", to: "/verify" },
  { id: "identity", to: "/real_name" },
  { id: "invite", to: "/share" },
  { id: "languages", to: "/language" },
];

export const paragraphNames = ["1", "2", "3"] as const;
