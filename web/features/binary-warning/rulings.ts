/**
 * An authority's decision on selling binary options to the public; the message `binary-warning.ruling.<id>`
 * states it in a sentence.
 */
export interface Ruling {
  id: string;
  authority: string;
  title: string;
  /** When it was decided or published. */
  date: string;
  url: string;
}

/** The rulings, newest last; docs/sources.md says how each was checked. */
export const rulings: readonly Ruling[] = [
  {
    id: "us",
    authority: "SEC, CFTC (US)",
    title: "Investor Alert: Binary Options and Fraud",
    date: "2013-06",
    url: "https://www.investor.gov/",
  },
  {
    id: "cn",
    authority: "中国证券监督管理委员会 (CN)",
    title: "二元期权网络平台的风险警示",
    date: "2016-04-18",
    url: "http://www.csrc.gov.cn/",
  },
  {
    id: "ca",
    authority: "Canadian Securities Administrators (CA)",
    title: "Multilateral Instrument 91-102 Prohibition of Binary Options",
    date: "2017-09",
    url: "https://www.securities-administrators.ca/",
  },
  {
    id: "eu",
    authority: "ESMA (EU)",
    title: "Decision (EU) 2018/795",
    date: "2018-05-22",
    url: "https://eur-lex.europa.eu/eli/dec/2018/795/oj",
  },
  {
    id: "gb",
    authority: "Financial Conduct Authority (GB)",
    title: "PS19/11: Product intervention measures for retail binary options",
    date: "2019-03",
    url: "https://www.fca.org.uk/",
  },
  {
    id: "au",
    authority: "ASIC (AU)",
    title: "ASIC bans the sale of binary options to retail clients",
    date: "2021-04-01",
    url: "https://asic.gov.au/",
  },
];
