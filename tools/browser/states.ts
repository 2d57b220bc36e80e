import { openReview, openSignIn, openTicket, pressUpButton } from "./actions.ts";
import { peopleStates } from "./peopleStates.ts";
import { type Facts, getDetails, getSheet, press, pressTab, type State } from "./state.ts";
import { walletStates } from "./walletStates.ts";
import { listScreenPaths } from "./words.ts";

const getName = (path: string) => path.slice(1).replaceAll("/", "-");

const routes: State[] = listScreenPaths().map((path) => ({
  name: getName(path),
  viewer: "person",
  path: () => path,
}));

/** Screens that differ for a visitor. */
const visits: State[] = [
  "/home",
  "/business/orders",
  "/wallet",
  "/wallet-record",
  "/ucenter",
  "/authorized-activity",
].map((path) => ({ name: `visitor-${getName(path)}`, viewer: "visitor", path: () => path }));

/** The parts of Help, which share one route. */
const help: State[] = [
  ["promises", "view=promises"],
  ["withdrawals", "view=withdrawals"],
  ["flags", "view=red-flags"],
  ["flag", "view=red-flags&flag=allowance"],
  ["lesson", "view=lesson"],
  ["sitting", "view=sitting"],
  ["thief", "view=thief"],
  ["thief-picture", "view=thief&scene=helper"],
  ["powers", "view=powers"],
  ["caught", "view=caught"],
  ["binary", "view=binary"],
  ["article", "view=article&article=contracts"],
  ["search", "q=10"],
].map(([name, query]) => ({
  name: `help-${name}`,
  viewer: "visitor",
  path: () => `/help?${query}`,
}));

const trade = ({ contractId }: Facts) => `/business?contract_id=${contractId}`;

/** The sheet behind "Try it 1 000 times", as each language writes the number. */
function thousandRuns(of: string, path: State["path"]): State {
  return {
    name: `sheet-thousand-${of}`,
    viewer: "person",
    path,
    perform: async (page) => {
      const main = page.getByRole("main");
      await main
        .getByRole("button", { name: /1\D?000/ })
        .first()
        .click();
      await getSheet(page);
      await page.getByRole("dialog").getByRole("figure").first().waitFor({ timeout: 20_000 });
    },
  };
}

/** Every route, with the sheets and dialogs that open on it and the errors that can occur. */
export const states: readonly State[] = [
  ...visits,
  ...help,
  { name: "visitor-trade", viewer: "visitor", path: trade },
  { name: "not-found", viewer: "visitor", path: () => "/no-such-page" },
  {
    name: "sheet-sign-in",
    decision: true,
    viewer: "visitor",
    path: () => "/ucenter",
    perform: openSignIn,
  },
  {
    name: "sheet-sign-in-review",
    decision: true,
    viewer: "visitor",
    path: () => "/ucenter",
    perform: async (page, say) => {
      await openSignIn(page, say);
      await openReview(page, say);
    },
  },
  {
    name: "sheet-restore",
    viewer: "visitor",
    path: () => "/ucenter",
    perform: async (page, say) => {
      await openSignIn(page, say);
      await page.getByRole("button", { name: say("sign-in.practice.restore") }).click();
      await page.getByLabel(say("sign-in.restore.label")).waitFor();
    },
  },
  {
    name: "offline",
    viewer: "visitor",
    path: () => "/home",
    perform: async (page, say) => {
      await page.context().setOffline(true);
      await page.getByText(say("app.offline")).waitFor();
    },
    leave: (page) => page.context().setOffline(false),
  },
  {
    name: "sheet-terms",
    decision: true,
    viewer: "newcomer",
    path: trade,
    perform: async (page, say) => {
      await pressUpButton(page, say);
      await page.getByRole("button", { name: say("sign-in.terms.accept") }).waitFor();
    },
  },
  ...routes,
  { name: "trade", viewer: "person", path: trade },
  {
    name: "trade-table",
    viewer: "person",
    path: trade,
    perform: async (page, say) => {
      await press(page, say("contracts.chart.tools"));
      await press(page, say("contracts.chart.table"));
    },
  },
  {
    name: "sheet-confirm",
    decision: true,
    viewer: "person",
    path: trade,
    perform: openTicket,
  },
  {
    name: "sheet-ticket",
    viewer: "person",
    path: trade,
    perform: async (page, say) => {
      await page.getByRole("button", { name: say("contracts.ticket.change") }).click();
      await getSheet(page);
    },
  },
  {
    name: "sheet-keys",
    viewer: "person",
    path: trade,
    perform: async (page) => {
      await page.keyboard.press("?");
      await getSheet(page);
    },
  },
  {
    name: "sheet-indicators",
    viewer: "person",
    path: trade,
    perform: async (page, say) => {
      await press(page, say("contracts.chart.tools"));
      await press(page, say("contracts.chart.indicators"));
      await getSheet(page);
    },
  },
  {
    name: "sheet-limits",
    viewer: "person",
    path: trade,
    perform: async (page, say) => {
      await press(page, say("contracts.limits.title"));
      await getSheet(page);
    },
  },
  {
    name: "sheet-order-open",
    viewer: "person",
    path: trade,
    perform: async (page, say) => {
      const running = page.getByRole("list", { name: say("contracts.running.title") });
      await running.getByRole("button").first().click();
      await press(page, say("contracts.order.details"));
      await getSheet(page);
    },
  },
  {
    name: "orders-over",
    settled: true,
    viewer: "person",
    path: () => "/business/orders",
    perform: (page, say) => pressTab(page, say("contracts.orders.over")),
  },
  {
    name: "sheet-order-settled",
    settled: true,
    viewer: "person",
    path: () => "/business/orders",
    perform: async (page, say) => {
      await pressTab(page, say("contracts.orders.over"));
      await page
        .getByRole("tabpanel")
        .getByRole("button")
        .filter({ hasText: "BTC" })
        .first()
        .click();
      await getDetails(page);
    },
  },
  {
    name: "receipt",
    settled: true,
    viewer: "person",
    path: ({ settledOrderId }) => `/verify?order_id=${settledOrderId}`,
    perform: async (page, say) => {
      await page.getByText(say("receipt.agrees"), { exact: true }).waitFor({ timeout: 20_000 });
    },
  },
  {
    name: "sheet-subscribe",
    decision: true,
    viewer: "person",
    path: () => "/ai/product?product_id=cross-btc",
    perform: async (page, say) => {
      await press(page, say("hosting.subscribe"));
      await getSheet(page);
    },
  },
  {
    name: "sheet-lease",
    decision: true,
    viewer: "person",
    path: () => "/mining/mechine-buy",
    perform: async (page, say) => {
      await press(page, say("mining.lease"));
      await getSheet(page);
    },
  },
  thousandRuns("order", trade),
  thousandRuns("lease", () => "/mining/mechine-buy"),
  {
    name: "receipt-altered",
    settled: true,
    viewer: "person",
    path: ({ settledOrderId }) => `/verify?order_id=${settledOrderId}`,
    perform: async (page, say) => {
      await page.getByText(say("receipt.agrees"), { exact: true }).waitFor({ timeout: 20_000 });
      await page.getByText(say("altered-copy.title"), { exact: true }).click();
      await press(page, say("altered-copy.do"));
      await page.getByText(say("altered-copy.mark"), { exact: true }).waitFor({ timeout: 20_000 });
    },
  },
  {
    name: "sheet-share",
    settled: true,
    viewer: "person",
    path: ({ settledOrderId }) => `/verify?order_id=${settledOrderId}`,
    perform: async (page, say) => {
      await press(page, say("receipt-links.share"));
      await getSheet(page);
    },
  },
  {
    name: "receipt-of-open-order",
    viewer: "person",
    path: ({ openOrderId }) => `/verify?order_id=${openOrderId}`,
  },
  {
    name: "verify-price",
    viewer: "person",
    path: () => "/verify",
    perform: (page, say) => pressTab(page, say("verify.tab.price")),
  },
  {
    name: "verify-log",
    viewer: "person",
    path: () => "/verify",
    perform: (page, say) => pressTab(page, say("verify.tab.log")),
  },
  ...walletStates,
  ...peopleStates,
  {
    name: "dialog-take-back",
    decision: true,
    viewer: "person",
    path: () => "/authorized-activity",
    perform: async (page, say) => {
      await press(page, say("wallet-requests.revoke"));
      await page.getByRole("dialog").or(page.getByRole("alertdialog")).first().waitFor();
    },
  },
];
