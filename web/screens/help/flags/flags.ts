/** A public warning of the same trick: who published it, its title, date and address. */
interface Source {
  authority: string;
  /** The title in the language of its publication. */
  title: string;
  /** The date to the known precision: `2024-01-25`, `2013-06` or `2022`. */
  date: string;
  url: string;
}

/**
 * How the scene on the phone is drawn: a chat, a screen with a button, a chart, or a wallet
 * request.
 */
type SceneKind = "chat" | "screen" | "chart" | "wallet";

export interface Flag {
  id: string;
  scene: SceneKind;
  /** The promise whose check covers it here. */
  promise: number;
  source: Source;
}

const ic3 = "FBI, Internet Crime Complaint Center (US)";

/**
 * The red flags in the order a person meets them. The texts of each are
 * `safety.flag.<id>.title|looks|s1|s2|s3|why`; docs/sources.md says how each source was checked.
 */
export const flags: readonly Flag[] = [
  {
    id: "stranger",
    scene: "chat",
    promise: 10,
    source: {
      authority: "FinCEN (US)",
      title:
        "FinCEN Alert on Prevalent Virtual Currency Investment Scam Commonly Known as “Pig Butchering” (FIN-2023-Alert005)",
      date: "2023-09-08",
      url: "https://www.fincen.gov/",
    },
  },
  {
    id: "returns",
    scene: "screen",
    promise: 4,
    source: {
      authority: "Federal Trade Commission (US)",
      title: "What To Know About Cryptocurrency and Scams",
      date: "2022",
      url: "https://consumer.ftc.gov/articles/what-know-about-cryptocurrency-and-scams",
    },
  },
  {
    id: "bots",
    scene: "screen",
    promise: 4,
    source: {
      authority: "CFTC (US)",
      title: "Customer Advisory: AI Won’t Turn Trading Bots into Money Machines",
      date: "2024-01-25",
      url: "https://www.cftc.gov/LearnAndProtect",
    },
  },
  {
    id: "liquidity",
    scene: "screen",
    promise: 2,
    source: {
      authority: ic3,
      title:
        "Scammers Target and Exploit Owners of Cryptocurrencies in Liquidity Mining Scam (I-072122-PSA)",
      date: "2022-07-21",
      url: "https://www.ic3.gov/PSA",
    },
  },
  {
    id: "mining",
    scene: "screen",
    promise: 6,
    source: {
      authority: "Department of Justice (US)",
      title:
        "Two Estonian Citizens Arrested in $575 Million Cryptocurrency Fraud and Money Laundering Scheme",
      date: "2022-11-21",
      url: "https://www.justice.gov/",
    },
  },
  {
    id: "recruiting",
    scene: "chat",
    promise: 10,
    source: {
      authority: "国民生活センター (JP)",
      title: "友だちから誘われても断れますか？若者に広がる「モノなしマルチ商法」に注意！",
      date: "2019-07-25",
      url: "https://www.kokusen.go.jp/",
    },
  },
  {
    id: "allowance",
    scene: "wallet",
    promise: 2,
    source: {
      authority: ic3,
      title:
        "Criminals Pose as Non-Fungible Token (NFT) Developers to Target Internet Users with an Interest in NFT Acquisition (I-080423-PSA)",
      date: "2023-08-04",
      url: "https://www.ic3.gov/PSA",
    },
  },
  {
    id: "bait",
    scene: "chat",
    promise: 3,
    source: {
      authority: "FinCEN (US)",
      title:
        "FinCEN Alert on Prevalent Virtual Currency Investment Scam Commonly Known as “Pig Butchering” (FIN-2023-Alert005)",
      date: "2023-09-08",
      url: "https://www.fincen.gov/",
    },
  },
  {
    id: "charts",
    scene: "chart",
    promise: 5,
    source: {
      authority: "FBI, Cyber Division (US)",
      title:
        "Cyber Criminals Create Fraudulent Cryptocurrency Investment Applications to Defraud US Investors",
      date: "2022-07-18",
      url: "https://www.ic3.gov/CSA",
    },
  },
  {
    id: "expiry",
    scene: "chart",
    promise: 5,
    source: {
      authority: "SEC, CFTC (US)",
      title: "Investor Alert: Binary Options and Fraud",
      date: "2013-06",
      url: "https://www.investor.gov/",
    },
  },
  {
    id: "documents",
    scene: "screen",
    promise: 9,
    source: {
      authority: "CFTC, SEC (US)",
      title: "CFTC/SEC 投资者警惕: 二元期权交易和骗局",
      date: "2013-06",
      url: "https://www.cftc.gov/zh-hans/node/253476",
    },
  },
  {
    id: "fee",
    scene: "screen",
    promise: 3,
    source: {
      authority: ic3,
      title: "The FBI Warns of a Spike in Cryptocurrency Investment Schemes",
      date: "2023-03",
      url: "https://www.ic3.gov/PSA",
    },
  },
  {
    id: "support",
    scene: "chat",
    promise: 8,
    source: {
      authority: "Federal Trade Commission (US)",
      title: "What To Know About Cryptocurrency and Scams",
      date: "2022",
      url: "https://consumer.ftc.gov/articles/what-know-about-cryptocurrency-and-scams",
    },
  },
  {
    id: "recovery",
    scene: "chat",
    promise: 1,
    source: {
      authority: ic3,
      title:
        "Increase in Companies Falsely Claiming an Ability to Recover Cryptocurrency Lost in Cryptocurrency Investment Scams (I-081123-PSA)",
      date: "2023-08-11",
      url: "https://www.ic3.gov/PSA",
    },
  },
];

/** The searchable texts of a flag. */
export const flagTextNames = ["title", "looks", "why"] as const;
