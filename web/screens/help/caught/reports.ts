/** Where to report fraud, under the organisation's own name. */
export interface Report {
  country: string;
  name: string;
  /** The organisation's task; its message is `safety.report.<kind>`. */
  kind: "police" | "fraud" | "regulator" | "consumer";
  /** As dialled within that country. */
  phone?: string;
  url?: string;
}

/** The countries of our languages; docs/sources.md says how each was checked. */
export const reports: readonly Report[] = [
  {
    country: "US",
    name: "FBI Internet Crime Complaint Center (IC3)",
    kind: "police",
    url: "https://www.ic3.gov/",
  },
  { country: "US", name: "FTC ReportFraud", kind: "consumer", url: "https://reportfraud.ftc.gov/" },
  { country: "US", name: "CFTC", kind: "regulator", url: "https://www.cftc.gov/complaint" },
  {
    country: "GB",
    name: "Report Fraud",
    kind: "fraud",
    phone: "0300 123 2040",
    url: "https://www.reportfraud.police.uk/",
  },
  { country: "GB", name: "Police Scotland", kind: "police", phone: "101" },
  {
    country: "GB",
    name: "Financial Conduct Authority",
    kind: "regulator",
    url: "https://www.fca.org.uk/consumers/report-scam-us",
  },
  {
    country: "CA",
    name: "Canadian Anti-Fraud Centre · Centre antifraude du Canada",
    kind: "fraud",
    phone: "1-888-495-8501",
    url: "https://antifraudcentre-centreantifraude.ca/",
  },
  { country: "AU", name: "ReportCyber", kind: "police", url: "https://www.cyber.gov.au/report" },
  { country: "AU", name: "Scamwatch", kind: "consumer", url: "https://www.scamwatch.gov.au/" },
  {
    country: "TW",
    name: "內政部警政署 165 反詐騙諮詢專線",
    kind: "police",
    phone: "165",
    url: "https://165.npa.gov.tw/",
  },
  { country: "TW", name: "金融監督管理委員會", kind: "regulator", url: "https://www.fsc.gov.tw/" },
  { country: "CN", name: "公安机关", kind: "police", phone: "110" },
  { country: "CN", name: "反诈预警劝阻专线", kind: "fraud", phone: "96110" },
  {
    country: "CN",
    name: "公安部网络违法犯罪举报网站",
    kind: "police",
    url: "https://cyberpolice.mps.gov.cn/",
  },
  { country: "FR", name: "17Cyber", kind: "police", url: "https://17cyber.gouv.fr/" },
  { country: "FR", name: "Info Escroqueries", kind: "fraud", phone: "0 805 805 817" },
  {
    country: "FR",
    name: "Autorité des marchés financiers",
    kind: "regulator",
    url: "https://www.amf-france.org/",
  },
  { country: "JP", name: "警察相談専用電話", kind: "police", phone: "#9110" },
  { country: "JP", name: "消費者ホットライン", kind: "consumer", phone: "188" },
  { country: "JP", name: "金融庁", kind: "regulator", url: "https://www.fsa.go.jp/" },
  {
    country: "IT",
    name: "Polizia Postale",
    kind: "police",
    url: "https://www.commissariatodips.it/",
  },
  { country: "IT", name: "CONSOB", kind: "regulator", url: "https://www.consob.it/" },
  {
    country: "DE",
    name: "Onlinewachen der Polizei",
    kind: "police",
    url: "https://portal.onlinewache.polizei.de/",
  },
  { country: "DE", name: "BaFin", kind: "regulator", url: "https://www.bafin.de/" },
  {
    country: "DE",
    name: "Verbraucherzentrale",
    kind: "consumer",
    url: "https://www.verbraucherzentrale.de/",
  },
  {
    country: "AT",
    name: "Polizeiinspektionen",
    kind: "police",
    url: "https://www.polizei.gv.at/",
  },
  {
    country: "AT",
    name: "Finanzmarktaufsicht (FMA)",
    kind: "regulator",
    url: "https://www.fma.gv.at/",
  },
  {
    country: "AT",
    name: "Watchlist Internet",
    kind: "consumer",
    url: "https://www.watchlist-internet.at/",
  },
  {
    country: "CH",
    name: "Bundesamt für Cybersicherheit (BACS · OFCS · UFCS)",
    kind: "fraud",
    url: "https://www.report.ncsc.admin.ch/",
  },
  { country: "CH", name: "FINMA", kind: "regulator", url: "https://www.finma.ch/" },
  { country: "SE", name: "Polisen", kind: "police", phone: "114 14", url: "https://polisen.se/" },
  { country: "SE", name: "Finansinspektionen", kind: "regulator", url: "https://www.fi.se/" },
  { country: "FI", name: "Poliisi · Polisen", kind: "police", url: "https://poliisi.fi/" },
  {
    country: "FI",
    name: "Finanssivalvonta · Finansinspektionen",
    kind: "regulator",
    url: "https://www.finanssivalvonta.fi/",
  },
];
