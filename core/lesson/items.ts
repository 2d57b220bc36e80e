import type { LessonSourceName } from "#core/lesson/sources.ts";

/** The form of an item: a chat, a page in a browser, an e-mail or letter, a wallet request. */
export const media = ["chat", "page", "mail", "wallet"] as const;
export type Medium = (typeof media)[number];

/** Signs that an item is a scam. */
export const scamTraits = [
  "pay-first",
  "sure-gain",
  "secret",
  "unlimited",
  "unreadable",
  "stranger",
  "hush",
  "impostor",
  "carrier",
  "recruit",
] as const;
/** Traits of an honest item that a scam cannot afford. */
export const honestTraits = [
  "nothing-asked",
  "loss-named",
  "own-way",
  "limited",
  "checkable",
  "nothing-first",
  "free-exit",
] as const;
type ScamTrait = (typeof scamTraits)[number];
type HonestTrait = (typeof honestTraits)[number];
export type Trait = ScamTrait | HonestTrait;

/**
 * One item of the bank: its medium, its deciding trait, the source of that trait and, except for a
 * chat, its apparent sender, always under `.example`.
 */
interface ItemRow {
  medium: Medium;
  trait: Trait;
  source: LessonSourceName;
  from: string | null;
}

const chat = (trait: Trait, source: LessonSourceName): ItemRow => ({
  medium: "chat",
  trait,
  source,
  from: null,
});
const row =
  (medium: Exclude<Medium, "chat">) =>
  (from: string, trait: Trait, source: LessonSourceName): ItemRow => ({
    medium,
    trait,
    source,
    from,
  });
const page = row("page");
const mail = row("mail");
const wallet = row("wallet");

/**
 * The 48 items, twelve a medium, half of them honest (docs/rules/help.md, "Sittings"). Their texts
 * are `sitting.<item>.text` and `.why`, for a chat also `.from`.
 */
const bank = {
  code: chat("secret", "codes"),
  romance: chat("stranger", "contact"),
  mule: chat("carrier", "muling"),
  tasks: chat("pay-first", "jobs"),
  admin: chat("secret", "crypto"),
  quiet: chat("hush", "takeFive"),
  number: chat("own-way", "avoid"),
  dinner: chat("nothing-asked", "avoid"),
  index: chat("loss-named", "costs"),
  paused: chat("own-way", "takeFive"),
  evening: chat("nothing-asked", "avoid"),
  bicycle: chat("nothing-first", "avoid"),

  plan: page("bright-yield.example", "sure-gain", "bots"),
  levels: page("circle-plus.example", "recruit", "pyramids"),
  double: page("anniversary-drop.example", "pay-first", "crypto"),
  deposit: page("northgate-invest.example", "pay-first", "withdrawals"),
  login: page("harbourbank.example.entry-desk.example", "impostor", "phishing"),
  council: page("crypto-council.example", "impostor", "alerts"),
  margin: page("quayside-broker.example", "loss-named", "margin"),
  fee: page("harbour-exchange.example", "nothing-first", "tokens"),
  outage: page("harbour-exchange.example", "checkable", "register"),
  savings: page("harbourbank.example", "loss-named", "deposits"),
  token: page("lantern-token.example", "loss-named", "tokens"),
  identity: page("harbourbank.example", "checkable", "diligence"),

  parcel: mail("release@post-desk.example", "impostor", "phishing"),
  traced: mail("office@asset-return.example", "pay-first", "recovery"),
  heir: mail("notary@estate-desk.example", "hush", "avoid"),
  invoice: mail("billing@garden-works.example", "impostor", "invoices"),
  upgrade: mail("notice@wallet-service.example", "secret", "crypto"),
  bond: mail("desk@crown-bonds.example", "sure-gain", "scamSmart"),
  breach: mail("privacy@paper-mill.example", "nothing-asked", "breaches"),
  device: mail("security@harbourbank.example", "own-way", "spotting"),
  price: mail("service@harbourbank.example", "free-exit", "payments"),
  taxes: mail("no-reply@tax-office.example", "own-way", "spotting"),
  year: mail("service@lighthouse-funds.example", "loss-named", "costs"),
  refund: mail("orders@coast-rail.example", "nothing-asked", "consumers"),

  allowance: wallet("bright-mint.example", "unlimited", "drainers"),
  permit: wallet("reward-check.example", "unlimited", "permits"),
  gallery: wallet("free-gallery.example", "unlimited", "collectibles"),
  bytes: wallet("bonus-view.example", "unreadable", "readable"),
  words: wallet("wallet-sync.example", "secret", "crypto"),
  name: wallet("quiet-market.example", "impostor", "signIn"),
  enter: wallet("lantern.example", "limited", "signIn"),
  exact: wallet("harbour-swap.example", "limited", "allowances"),
  own: wallet("harbour-exchange.example", "limited", "amounts"),
  revoke: wallet("harbour-swap.example", "limited", "allowances"),
  address: wallet("lantern.example", "limited", "exposure"),
  shop: wallet("corner-books.example", "limited", "amounts"),
} as const satisfies Record<string, ItemRow>;

export type ItemName = keyof typeof bank;
export interface Item extends ItemRow {
  name: ItemName;
  honest: boolean;
}

const isHonestTrait = (trait: Trait) => (honestTraits as readonly Trait[]).includes(trait);

/** The bank by name, in the order it is written. */
export const items: readonly Item[] = Object.entries(bank).map(([name, itemRow]) => ({
  ...itemRow,
  name: name as ItemName,
  honest: isHonestTrait(itemRow.trait),
}));

const byName = new Map(items.map((item) => [item.name, item]));

export const isItemName = (text: string): text is ItemName => Object.hasOwn(bank, text);
export const getItem = (name: ItemName): Item => byName.get(name)!;
