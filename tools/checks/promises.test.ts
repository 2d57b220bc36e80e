import { globSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { type Locale, locales } from "#core/locales.ts";
import { promisedReturns, unprefixedCoin } from "#core/publishing/phrases.ts";
import { findTextProblems } from "#core/publishing/textRule.ts";

/**
 * The promises that a search of sources and messages can enforce (docs/promises.md: 1, 4 and 7).
 */
const root = join(dirname(fileURLToPath(import.meta.url)), "../..");

function listMessages(locale: Locale): [key: string, text: string][] {
  return globSync(join(root, "i18n/*", `${locale}.json`)).flatMap((file) =>
    Object.entries(JSON.parse(readFileSync(file, "utf8")) as Record<string, string>),
  );
}

/** Keys whose message contains one of `phrases`. */
function findKeys(locale: Locale, phrases: RegExp): string[] {
  return listMessages(locale).flatMap(([key, text]) => (phrases.test(text) ? [key] : []));
}

test.each(locales)("texts that the program itself publishes pass the text rule in %s", (locale) => {
  const published = listMessages(locale).filter(([key]) => key.startsWith("world-removal."));
  expect(published).not.toEqual([]);
  for (const [key, text] of published)
    expect(
      findTextProblems(text.replace("{date}", "1"), () => null),
      key,
    ).toEqual([]);
});

test("no source can ask a wallet or chain to send, approve, switch or sign for sending", () => {
  const folders = "{core,api,ui,i18n,web,server,operator,seed,verify,tools,e2e}";
  // The reader of pasted requests needs the names to warn of them; tests need them to check that
  // they are refused.
  const reader = /^web\/screens\/wallet-requests\/explain\/|\.(?:test|spec)\.tsx?$/;
  const files = globSync(join(root, folders, "**/*.{ts,tsx}"), { exclude: ["**/node_modules/**"] })
    .map((file) => relative(root, file))
    .filter((file) => !reader.test(file));
  expect(files.length).toBeGreaterThan(300);
  const sendingCall =
    /\b(?:eth_send\w+|eth_sign\w*|wallet_[a-z]\w+|personal_sendTransaction|sendTransaction|sendRawTransaction|signTransaction|signTypedData|writeContract|createWalletClient|createPublicClient|JsonRpcProvider|BrowserProvider)\b/g;
  const messages = files.flatMap((file) =>
    [...readFileSync(join(root, file), "utf8").matchAll(sendingCall)].map(
      ([name]) => `${file}: ${name}`,
    ),
  );
  expect(messages).toEqual([]);
});

describe.each(locales)("messages in %s", (locale) => {
  test("coins carry their p, except in names of markets", () => {
    const hits = findKeys(locale, unprefixedCoin);
    expect(hits.filter((key) => !realCoinKeys.has(key))).toEqual([]);
  });

  test("no message promises a return", () => {
    const hits = findKeys(locale, promisedReturns[locale]).filter((key) => !quotingKeys.has(key));
    expect(hits.sort()).toEqual(warnings[locale]);
  });

  test("no message claims users, partners, countries or uptime", () => {
    const hits = findKeys(locale, claims[locale]);
    // This message states that none are claimed.
    expect(hits.filter((key) => key !== "help.promise.7")).toEqual([]);
  });
});

/**
 * Red flags that quote fraudsters, shown in Help under a separate heading with an explanation of
 * the lie.
 */
const quotingKeys = new Set([
  "safety.flag.fee.looks",
  "safety.flag.returns.looks",
  "safety.flag.returns.s2",
  "safety.flag.returns.title",
]);

/**
 * Messages about real coins, none of which is a balance: what a request pasted into the reader
 * would send, and a stretch of recorded prices.
 */
const realCoinKeys = new Set([
  // Explains the second half of a market's name.
  "contracts.list.quotes",
  "wallet-requests.does.sendsCoin",
  "lesson-plan.usdc-2023",
  "lesson-plan.pauseCoin.do",
]);

/**
 * Keys allowed to contain such a phrase, because they deny it ("guaranteed by nothing") or say that
 * retrying is safe. New ones are added by hand, after reading the message.
 */
const warnings: Record<Locale, string[]> = {
  cn: [],
  de: ["help.promise.4", "safety.flag.returns.why"],
  en: ["help.promise.4"],
  fr: ["help.promise.4", "server.failed"],
  it: [
    "help.promise.4",
    "receipt.problem.acknowledgement_key_unknown",
    "receipt.problem.log_succeeded",
    "server.failed",
  ],
  ja: [],
  sv: ["help.promise.4"],
  "zh-TW": [],
};

const claims: Record<Locale, RegExp> = {
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
