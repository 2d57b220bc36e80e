import type { Contract } from "#api/contracts.ts";
import { sceneNames } from "#core/lesson/scenes.ts";
import type { Translate } from "#i18n/useText.ts";
import { navigationGroups } from "#web/app/desktop/navigation.ts";
import { listHelpEntries } from "#web/screens/help/search/entries.ts";
import type { Searchable } from "#web/screens/help/search/match.ts";

export interface SearchEntry extends Searchable {
  /** The kind of entry, in the language shown. */
  kind: string;
}

/** Screens that are not in the side navigation: address and title. */
const otherScreens: readonly (readonly [to: string, title: string])[] = [
  ["/business/orders", "contracts.orders.title"],
  ["/ai/intro", "hosting.intro.title"],
  ["/ai/intro?do=history", "hosting.history.link"],
  ["/mining/intro", "mining.intro.title"],
  ["/wallet?do=attempts", "wallet.attempts"],
  ["/wallet?do=addresses", "wallet.addresses"],
  ["/wallet-info?coin=pUSDT&do=recharge", "wallet.do.recharge"],
  ["/wallet-info?coin=pUSDT&do=withdraw", "wallet.do.withdraw"],
  ["/wallet-info?coin=pUSDT&do=exchange", "wallet.do.exchange"],
  ["/wallet-info?coin=pUSDT&do=send", "wallet.do.send"],
  ["/wallet-info?coin=pUSDT&do=receive", "wallet.do.receive"],
  ["/share", "invites.share.title"],
  ["/news-list", "posts.title"],
  ["/real_name", "identity.title"],
  ["/language", "app.language.title"],
];

/** Terms that screens explain: the term, its meaning, and the screen where it appears. */
const words: readonly (readonly [word: string, meaning: string, to: string])[] = [
  ["hosting.nav", "hosting.word.nav", "/ai/intro"],
  ["hosting.word.mark.name", "hosting.word.mark", "/ai/intro"],
  ["hosting.drawdown", "hosting.word.drawdown", "/ai"],
  ["hosting.taker_fee", "hosting.word.taker", "/ai/intro"],
  ["mining.difficulty", "mining.word.difficulty", "/mining/intro"],
  ["mining.networkHashrate", "mining.word.hashrate", "/mining/intro"],
  ["mining.halving", "mining.word.halving", "/mining/intro"],
];

/** Everything that can be found without asking the server, and the markets. */
export function listSearchEntries(t: Translate, markets: readonly Contract[]): SearchEntry[] {
  const screen = t("wide.kind.screen");
  return [
    ...navigationGroups
      .flat()
      .map(({ to, name }) => ({ kind: screen, title: t(name), text: "", to })),
    ...otherScreens.map(([to, title]) => ({ kind: screen, title: t(title), text: "", to })),
    ...markets.map(({ contract_id: id, symbol }) => ({
      kind: t("wide.kind.market"),
      title: symbol,
      // "btcusdt" and "btc usdt" find the market too.
      text: `${symbol.replace(/\W/g, "")} ${symbol.replace(/\W/g, " ")}`,
      to: `/business?contract_id=${id}`,
    })),
    ...words.map(([word, meaning, to]) => ({
      kind: t("wide.kind.word"),
      title: t(word),
      text: t(meaning),
      to,
    })),
    ...sceneNames.map((scene) => ({
      kind: t("wide.kind.lesson"),
      title: t(`lesson.${scene}.title`),
      text: t(`lesson.${scene}.right`),
      to: "/help?view=lesson",
    })),
    ...listHelpEntries(t).map((entry) => ({ ...entry, kind: t(`help.kind.${entry.kind}`) })),
  ];
}

/**
 * Returns true if a text may be part of an id or an address, which are searched for on the server.
 */
export function looksLikeId(text: string): boolean {
  return /^(0x)?[0-9a-f-]{4,120}$/i.test(text) && /\d/.test(text);
}
