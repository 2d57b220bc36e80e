import { expect, test } from "vitest";
import type { Contract } from "#api/contracts.ts";
import { listSearchEntries, looksLikeId } from "#web/app/search/entries.ts";
import { findEntries } from "#web/screens/help/search/match.ts";

const markets = [{ contract_id: "c1", symbol: "BTC/USDT" } as Contract];
const entries = listSearchEntries(
  ((id: string) => id) as Parameters<typeof listSearchEntries>[0],
  markets,
);
const findPaths = (text: string) => findEntries(entries, text).map(({ to }) => to);

test.each([
  ["btcusdt", "/business?contract_id=c1"],
  ["btc usdt", "/business?contract_id=c1"],
  ["btc/", "/business?contract_id=c1"],
  ["wallet.do.withdraw", "/wallet-info?coin=pUSDT&do=withdraw"],
  ["lesson.tax.title", "/help?view=lesson"],
  ["wide.requests", "/authorized-activity"],
  ["hosting.word.drawdown", "/ai"],
])("%s finds %s first", (text, to) => {
  expect(findPaths(text)[0]).toBe(to);
});

test.each([
  ["01a9f3", true],
  ["0x52908400098527886e0f7030069857d2e4169ee7", true],
  ["0192b3c4-7f00-7abc-8def-0123456789ab", true],
  ["fee", false],
  ["face", false],
  ["bitcoin 1", false],
])("looksLikeId(%s) is %s", (text, may) => {
  expect(looksLikeId(text)).toBe(may);
});
