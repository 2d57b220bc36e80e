/** A publication that a lesson rests on; docs/sources.md says how each was checked. */
export interface LessonSource {
  authority: string;
  /** In the language it was published in. */
  title: string;
  /** At the precision known: `2024-09-11`, `2013-06` or `2022`. */
  date: string;
  url: string;
}

const ftc = "Federal Trade Commission (US)";
const ic3 = "FBI, Internet Crime Complaint Center (US)";
const union = "European Union";
const ethereum = "Ethereum Improvement Proposals";

/** Public warnings, for the scams; laws and published formats, for what honest senders keep to. */
export const lessonSources = {
  crypto: {
    authority: ftc,
    title: "What To Know About Cryptocurrency and Scams",
    date: "2022",
    url: "https://consumer.ftc.gov/articles/what-know-about-cryptocurrency-and-scams",
  },
  phishing: {
    authority: ftc,
    title: "How To Recognize and Avoid Phishing Scams",
    date: "2022",
    url: "https://consumer.ftc.gov/articles/how-recognize-and-avoid-phishing-scams",
  },
  avoid: {
    authority: ftc,
    title: "How To Avoid a Scam",
    date: "2023",
    url: "https://consumer.ftc.gov/articles/how-avoid-scam",
  },
  codes: {
    authority: ftc,
    title: "What’s a verification code and why would someone ask me for it?",
    date: "2024",
    url: "https://consumer.ftc.gov/",
  },
  pyramids: {
    authority: ftc,
    title: "Multi-Level Marketing Businesses and Pyramid Schemes",
    date: "2022",
    url: "https://consumer.ftc.gov/articles/multi-level-marketing-businesses-and-pyramid-schemes",
  },
  bots: {
    authority: "CFTC (US)",
    title: "Customer Advisory: AI Won’t Turn Trading Bots into Money Machines",
    date: "2024-01-25",
    url: "https://www.cftc.gov/LearnAndProtect",
  },
  contact: {
    authority: "FinCEN (US)",
    title:
      "FinCEN Alert on Prevalent Virtual Currency Investment Scam Commonly Known as “Pig Butchering” (FIN-2023-Alert005)",
    date: "2023-09-08",
    url: "https://www.fincen.gov/",
  },
  jobs: {
    authority: ic3,
    title: "Scammers Defraud Individuals via Work-From-Home Scams (I-060424-PSA)",
    date: "2024-06-04",
    url: "https://www.ic3.gov/PSA",
  },
  withdrawals: {
    authority: ic3,
    title: "The FBI Warns of a Spike in Cryptocurrency Investment Schemes",
    date: "2023-03",
    url: "https://www.ic3.gov/PSA",
  },
  recovery: {
    authority: ic3,
    title:
      "Increase in Companies Falsely Claiming an Ability to Recover Cryptocurrency Lost in Cryptocurrency Investment Scams (I-081123-PSA)",
    date: "2023-08-11",
    url: "https://www.ic3.gov/PSA",
  },
  invoices: {
    authority: ic3,
    title: "Business Email Compromise: The $43 Billion Scam (I-050422-PSA)",
    date: "2022-05-04",
    url: "https://www.ic3.gov/PSA",
  },
  drainers: {
    authority: ic3,
    title:
      "Criminals Pose as Non-Fungible Token (NFT) Developers to Target Internet Users with an Interest in NFT Acquisition (I-080423-PSA)",
    date: "2023-08-04",
    url: "https://www.ic3.gov/PSA",
  },
  muling: {
    authority: "Europol",
    title: "Money Muling",
    date: "2017",
    url: "https://www.europol.europa.eu/",
  },
  takeFive: {
    authority: "UK Finance",
    title: "Take Five to Stop Fraud",
    date: "2016",
    url: "https://www.takefive-stopfraud.org.uk/",
  },
  alerts: {
    authority: "IOSCO",
    title: "International Securities & Commodities Alerts Network (I-SCAN)",
    date: "2025-03",
    url: "https://www.iosco.org/i-scan/",
  },
  scamSmart: {
    authority: "Financial Conduct Authority (UK)",
    title: "ScamSmart: avoid investment and pension scams",
    date: "2014",
    url: "https://www.fca.org.uk/scamsmart",
  },
  register: {
    authority: "Financial Conduct Authority (UK)",
    title: "The Financial Services Register",
    date: "2020",
    url: "https://register.fca.org.uk/",
  },
  spotting: {
    authority: "National Cyber Security Centre (UK)",
    title: "Phishing: Spot and report scam emails, texts, websites and calls",
    date: "2020",
    url: "https://www.ncsc.gov.uk/collection/phishing-scams",
  },
  margin: {
    authority: "ESMA",
    title: "Decision (EU) 2018/796, contracts for differences",
    date: "2018-05-22",
    url: "https://eur-lex.europa.eu/",
  },
  deposits: {
    authority: union,
    title: "Directive 2014/49/EU on deposit guarantee schemes",
    date: "2014-04-16",
    url: "https://eur-lex.europa.eu/eli/dir/2014/49/oj",
  },
  tokens: {
    authority: union,
    title: "Regulation (EU) 2023/1114 on markets in crypto-assets",
    date: "2023-05-31",
    url: "https://eur-lex.europa.eu/eli/reg/2023/1114/oj",
  },
  costs: {
    authority: union,
    title: "Delegated Regulation (EU) 2017/565, costs and yearly statements",
    date: "2016-04-25",
    url: "https://eur-lex.europa.eu/eli/reg_del/2017/565/oj",
  },
  payments: {
    authority: union,
    title: "Directive (EU) 2015/2366 on payment services",
    date: "2015-11-25",
    url: "https://eur-lex.europa.eu/eli/dir/2015/2366/oj",
  },
  amounts: {
    authority: union,
    title: "Delegated Regulation (EU) 2018/389 on strong customer authentication",
    date: "2017-11-27",
    url: "https://eur-lex.europa.eu/eli/reg_del/2018/389/oj",
  },
  diligence: {
    authority: union,
    title: "Directive (EU) 2015/849 on preventing money laundering",
    date: "2015-05-20",
    url: "https://eur-lex.europa.eu/eli/dir/2015/849/oj",
  },
  consumers: {
    authority: union,
    title: "Directive 2011/83/EU on consumer rights",
    date: "2011-10-25",
    url: "https://eur-lex.europa.eu/eli/dir/2011/83/oj",
  },
  breaches: {
    authority: union,
    title: "Regulation (EU) 2016/679 on data protection",
    date: "2016-04-27",
    url: "https://eur-lex.europa.eu/eli/reg/2016/679/oj",
  },
  signIn: {
    authority: ethereum,
    title: "ERC-4361: Sign-In with Ethereum",
    date: "2021-10-11",
    url: "https://eips.ethereum.org/EIPS/eip-4361",
  },
  allowances: {
    authority: ethereum,
    title: "ERC-20: Token Standard",
    date: "2015-11-19",
    url: "https://eips.ethereum.org/EIPS/eip-20",
  },
  permits: {
    authority: ethereum,
    title: "ERC-2612: Permit Extension for EIP-20 Signed Approvals",
    date: "2020-04-13",
    url: "https://eips.ethereum.org/EIPS/eip-2612",
  },
  collectibles: {
    authority: ethereum,
    title: "ERC-721: Non-Fungible Token Standard",
    date: "2018-01-24",
    url: "https://eips.ethereum.org/EIPS/eip-721",
  },
  readable: {
    authority: ethereum,
    title: "EIP-712: Typed structured data hashing and signing",
    date: "2017-09-12",
    url: "https://eips.ethereum.org/EIPS/eip-712",
  },
  exposure: {
    authority: ethereum,
    title: "EIP-1102: Opt-in account exposure",
    date: "2018-05-04",
    url: "https://eips.ethereum.org/EIPS/eip-1102",
  },
} satisfies Record<string, LessonSource>;

/**
 * The study that sittings follow: participants distinguished scams from honest offers, immediately
 * and after 21 days.
 */
export const discernmentStudy: LessonSource = {
  authority: "arXiv 2503.12341",
  title: "ShieldUp!: Inoculating Users Against Online Scams Using A Game Based Intervention",
  date: "2025-03-16",
  url: "https://arxiv.org/abs/2503.12341",
};

export type LessonSourceName = keyof typeof lessonSources;
