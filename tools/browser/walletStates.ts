import { getDetails, getSheet, press, type State } from "./state.ts";

const coin = (action: string) => () => `/wallet-info?coin=pUSDT&do=${action}`;

/** The actions on a coin, and what opens on the wallet screens. */
export const walletStates: readonly State[] = [
  { name: "wallet-coin", viewer: "person", path: () => "/wallet-info?coin=pUSDT" },
  ...["recharge", "withdraw", "exchange", "send", "receive"].map(
    (action): State => ({ name: `wallet-${action}`, viewer: "person", path: coin(action) }),
  ),
  {
    name: "wallet-exchange-get",
    viewer: "person",
    path: () => `${coin("exchange")()}&to=pBTC&side=get&amount=0.001`,
  },
  {
    name: "wallet-receive-amount",
    viewer: "person",
    path: coin("receive"),
    perform: async (page, say) => page.getByLabel(say("send.receive.amount")).fill("250.5"),
  },
  { name: "wallet-attempts", viewer: "person", path: () => "/wallet?do=attempts" },
  { name: "wallet-addresses", viewer: "person", path: () => "/wallet?do=addresses" },
  {
    name: "sheet-voucher",
    viewer: "person",
    path: coin("recharge"),
    perform: async (page, say) => {
      await press(page, say("recharge.workshop.open"));
      await getSheet(page);
    },
  },
  {
    name: "sheet-withdraw",
    decision: true,
    viewer: "person",
    path: () => `${coin("withdraw")()}&amount=100`,
    perform: async (page, say) => {
      await press(page, say("withdraw.review"));
      await getSheet(page);
    },
  },
  {
    name: "sheet-address-book",
    viewer: "person",
    path: coin("withdraw"),
    perform: async (page, say) => {
      await press(page, say("withdraw.book"));
      await getSheet(page);
    },
  },
  {
    name: "sheet-start-over",
    decision: true,
    viewer: "person",
    path: () => "/wallet?do=attempts",
    perform: async (page, say) => {
      await press(page, say("attempts.over.look"));
      await getSheet(page);
    },
  },
  {
    name: "sheet-record",
    viewer: "person",
    path: () => "/wallet-record",
    perform: async (page) => {
      await page.locator("[data-records] button").first().click();
      await getDetails(page);
    },
  },
  {
    name: "sheet-record-filter",
    viewer: "person",
    path: () => "/wallet-record",
    perform: async (page, say) => {
      await press(page, say("records.filter"));
      await getSheet(page);
    },
  },
];
