import { globSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";

/** The promises that a search of the sources and the sentences can hold (docs/promises.md: 1, 4 and 7). */
const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const locales = ["cn", "de", "en", "fr", "it", "ja", "sv", "zh-TW"] as const;
type Locale = (typeof locales)[number];

function sentences(locale: Locale): [key: string, text: string][] {
  return globSync(join(root, "i18n", locale, "*.json")).flatMap((file) =>
    Object.entries(JSON.parse(readFileSync(file, "utf8")) as Record<string, string>),
  );
}

/** Keys whose sentence has one of `phrases`. */
function keysWith(locale: Locale, phrases: RegExp): string[] {
  return sentences(locale).flatMap(([key, text]) => (phrases.test(text) ? [key] : []));
}

test("no source can ask a wallet or a chain to send, sign for sending, approve or switch", () => {
  const rooms = "{core,api,ui,i18n,web,server,operator,seed,verify,bench,scripts,e2e}";
  // The reader of pasted requests knows the names in order to warn of them; tests name them to see them refused.
  const reader = /^web\/authorized-activity\/explain\/|\.(?:test|spec)\.tsx?$/;
  const files = globSync(join(root, rooms, "**/*.{ts,tsx}"), { exclude: ["**/node_modules/**"] })
    .map((file) => relative(root, file))
    .filter((file) => !reader.test(file));
  expect(files.length).toBeGreaterThan(300);
  const sending =
    /\b(?:eth_send\w+|eth_sign\w*|wallet_[a-z]\w+|personal_sendTransaction|sendTransaction|sendRawTransaction|signTransaction|signTypedData|writeContract|createWalletClient|createPublicClient|JsonRpcProvider|BrowserProvider)\b/g;
  const found = files.flatMap((file) =>
    [...readFileSync(join(root, file), "utf8").matchAll(sending)].map(
      ([name]) => `${file}: ${name}`,
    ),
  );
  expect(found).toEqual([]);
});

describe.each(locales)("the sentences in %s", (locale) => {
  test("name no coin without its p, except in the name of a market", () => {
    const unmarked = /(?<![A-Za-z/])(?:USDT|USDC|BTC|ETH)(?![A-Za-z/])/;
    const hits = keysWith(locale, unmarked);
    expect(hits.filter((key) => !ofRealCoins.has(key))).toEqual([]);
  });

  test("promise no return", () => {
    const hits = keysWith(locale, promised[locale]).filter((key) => !quoted.has(key));
    expect(hits.sort()).toEqual(warnings[locale]);
  });

  test("claim no users, partners, countries or uptime", () => {
    const hits = keysWith(locale, claimed[locale]);
    // It says that none are claimed.
    expect(hits.filter((key) => key !== "help.promise.7")).toEqual([]);
  });
});

/** Red flags that quote what frauds write, in Help under its own heading and beside why it is a lie. */
const quoted = new Set([
  "safety.flag.fee.looks",
  "safety.flag.returns.looks",
  "safety.flag.returns.s2",
  "safety.flag.returns.title",
]);

/** Sentences that speak of real coins, none of which is a balance: what a request pasted into the reader would send. */
const ofRealCoins = new Set(["authorized.does.sendsCoin"]);

/** What platforms that rob people write. */
const promised: Record<Locale, RegExp> = {
  cn: /保本|稳赚|零风险|无风险|保证(?:收益|回报|盈利|获利)|固定收益|日收益|每日回报|年化|躺赚|高回报|必赚|被动收入/,
  de: /garantiert|risikofrei|risikolos|ohne Risiko|sichere[rn]? (?:Gewinn|Rendite|Ertrag)|tägliche[rn]? (?:Rendite|Ertrag|Gewinn)|passives Einkommen|Festzins|Rendite/i,
  en: /guarantee|risk[- ]free|no risk|without risk|(?:daily|fixed|assured|steady) (?:return|profit|yield|income)|passive income|\bAP[YR]\b|double your|promised return/i,
  fr: /garanti|sans (?:aucun )?risque|(?:rendement|gain|profit|revenu)s? (?:quotidien|fixe|assuré|sûr|promis)|revenus? passif/i,
  it: /garanti|senza (?:alcun )?rischi|(?:rendiment|guadagn|profitt|reddit)\w+ (?:giornalier|fiss|sicur|assicurat|passiv|promess)/i,
  ja: /元本保証|保証|確実に(?:儲|稼|増)|ノーリスク|リスクなし|リスクゼロ|日利|年利|不労所得|必ず(?:儲|稼|増)|約束された/,
  sv: /garanter|riskfri|utan risk|(?:daglig|fast|säker|utlovad) (?:avkastning|vinst|ränta)|passiv inkomst/i,
  "zh-TW":
    /保本|穩賺|零風險|無風險|保證(?:收益|報酬|獲利|回報)|固定收益|日收益|每日回報|年化|躺賺|高報酬|必賺|被動收入/,
};

/**
 * Keys that may have such a phrase, because they deny it ("guaranteed by nothing") or speak of trying again without risk. A
 * new one is added by hand, after reading its sentence.
 */
const warnings: Record<Locale, string[]> = {
  cn: [],
  de: ["help.promise.4"],
  en: ["help.promise.4"],
  fr: ["help.promise.4", "receipt.step.marks.what", "server.failed"],
  it: ["help.promise.4", "receipt.step.marks.what"],
  ja: [],
  sv: ["help.promise.4", "server.failed"],
  "zh-TW": [],
};

const claimed: Record<Locale, RegExp> = {
  cn: /用户数|(?:万|[0-9])[+ ]*(?:名)?用户|合作伙伴|合作机构|在线率|可用率|[0-9]+ ?个国家/,
  de: /Partner\b|Millionen|Verfügbarkeit(?:en)?\b|[0-9][0-9.]*\+? (?:Nutzer|Kunden|Länder)/,
  en: /\bpartners?\b|\bmillions?\b|uptime|trusted by|[0-9][0-9,]*\+? (?:users|customers|countries|members)/i,
  fr: /partenaires?\b|millions?\b|taux de disponibilité|[0-9][0-9 ]*\+? (?:utilisateurs|clients|pays\b)/i,
  it: /\bpartner\b|milion[ei]|uptime|[0-9][0-9.]*\+? (?:utenti|clienti|paesi)/i,
  ja: /提携|パートナー|稼働率|[0-9万]+ ?(?:人|名)(?:以上)?の(?:ユーザー|利用者)|[0-9]+ ?(?:か国|カ国|ヶ国)/,
  sv: /\bpartner|miljon|drifttid|[0-9][0-9 ]*\+? (?:användare|kunder|länder)/i,
  "zh-TW":
    /用戶數|(?:萬|[0-9])[+ ]*(?:名)?(?:用戶|使用者)|合作夥伴|合作機構|上線率|可用率|[0-9]+ ?個國家/,
};
