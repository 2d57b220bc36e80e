/** The tabs, in their order in the bar; each is a screen. */
export const tabPaths = ["/home", "/robot-run-page", "/business", "/uc-team", "/ucenter"] as const;
export type Tab = (typeof tabPaths)[number];

/** A screen of the phone app with its own address. A new screen needs an entry here and a file. */
export interface Screen {
  /** The full path; details travel in the query. */
  path: `/${string}`;
  /** The screen's component: the default export of `web/screens/<file>.tsx`. */
  file: `${string}/${string}Page`;
  /** Messages it needs besides the frame's: folders of `i18n`. */
  namespaces: readonly string[];
  /** The tab active on it when it is opened directly. */
  tab: Tab | null;
  /** Keeps its state while another screen is shown. */
  keepsState?: boolean;
  /**
   * Files of `web/screens` that it renders first, besides its own: by the query parameter that
   * selects them, or "" for an address without any of these parameters.
   */
  parts?: Readonly<Record<string, readonly string[]>>;
  /** Those of `parts` that the screen renders last and fetches after the others. */
  later?: readonly string[];
  /**
   * Landing screens, which may show a notice at the foot; on task screens the foot is reserved for
   * buttons.
   */
  takesNotices?: boolean;
}

/**
 * Every screen of the phone app (product.md, section 3): the app renders them, and the server
 * answers their addresses with the app's page, any other with 404. `/` leads to `/home`.
 */
export const screens: readonly Screen[] = [
  {
    path: "/home",
    file: "home/HomePage",
    namespaces: [],
    tab: "/home",
    keepsState: true,
    takesNotices: true,
  },
  {
    path: "/business",
    file: "contracts/ContractsPage",
    parts: {
      "": ["contracts/market/MarketPage"],
      contract_id: ["contracts/trade/TradePage", "contracts/chart/KlineChart"],
    },
    later: ["contracts/chart/KlineChart"],
    namespaces: ["contracts"],
    tab: "/business",
    keepsState: true,
    takesNotices: true,
  },
  {
    path: "/business/orders",
    file: "contracts/OrdersPage",
    namespaces: ["contracts"],
    tab: "/business",
  },
  {
    path: "/wallet",
    file: "wallet/WalletPage",
    namespaces: ["wallet", "records", "results"],
    tab: "/ucenter",
    keepsState: true,
    takesNotices: true,
  },
  {
    path: "/wallet-info",
    file: "wallet/WalletInfoPage",
    namespaces: ["wallet", "records"],
    tab: "/ucenter",
  },
  {
    path: "/wallet-record",
    file: "wallet/WalletRecordPage",
    namespaces: ["wallet", "records"],
    tab: "/ucenter",
  },
  {
    path: "/class",
    file: "classes/ClassPage",
    namespaces: ["class-room", "sign-in"],
    tab: "/ucenter",
  },
  { path: "/inbox", file: "inbox/InboxPage", namespaces: ["inbox"], tab: "/home" },
  { path: "/verify", file: "verify/VerifyPage", namespaces: ["verify", "receipt"], tab: "/home" },
  {
    path: "/r",
    file: "receipt-links/SharedReceiptPage",
    namespaces: ["receipt-links", "receipt"],
    tab: null,
  },
  {
    path: "/ucenter",
    file: "account/AccountPage",
    namespaces: ["account", "wallet-requests", "sign-in"],
    tab: "/ucenter",
    takesNotices: true,
  },
  {
    path: "/authorized-activity",
    file: "wallet-requests/WalletRequestsPage",
    namespaces: ["wallet-requests"],
    tab: "/ucenter",
  },
  {
    path: "/help",
    file: "help/HelpPage",
    namespaces: ["help"],
    tab: "/ucenter",
    takesNotices: true,
  },
  { path: "/language", file: "language/LanguagePage", namespaces: [], tab: "/ucenter" },
  {
    path: "/ai",
    file: "hosting/HostingPage",
    namespaces: ["hosting"],
    tab: "/home",
    keepsState: true,
    takesNotices: true,
  },
  { path: "/ai/intro", file: "hosting/IntroPage", namespaces: ["hosting"], tab: "/home" },
  { path: "/ai/product", file: "hosting/ProductPage", namespaces: ["hosting"], tab: "/home" },
  { path: "/ai/record", file: "hosting/RecordPage", namespaces: ["hosting"], tab: "/home" },
  {
    path: "/robot-run-page",
    file: "hosting/RunPage",
    namespaces: ["hosting"],
    tab: "/robot-run-page",
    takesNotices: true,
  },
  {
    path: "/mining",
    file: "mining/MiningPage",
    namespaces: ["mining"],
    tab: "/home",
    keepsState: true,
    takesNotices: true,
  },
  { path: "/mining/intro", file: "mining/IntroPage", namespaces: ["mining"], tab: "/home" },
  { path: "/mining/mechine-buy", file: "mining/BuyPage", namespaces: ["mining"], tab: "/home" },
  { path: "/mining/record", file: "mining/RecordPage", namespaces: ["mining"], tab: "/home" },
  { path: "/miningrecord", file: "mining/PayoutsPage", namespaces: ["mining"], tab: "/home" },
  { path: "/share", file: "invites/SharePage", namespaces: ["invites"], tab: "/uc-team" },
  {
    path: "/uc-team",
    file: "invites/TeamPage",
    namespaces: ["invites"],
    tab: "/uc-team",
    takesNotices: true,
  },
  {
    path: "/news-list",
    file: "publishing/NewsPage",
    namespaces: ["posts"],
    tab: "/home",
    takesNotices: true,
  },
  { path: "/real_name", file: "identity/IdentityPage", namespaces: ["identity"], tab: "/ucenter" },
];

/** Rendered at any other address. */
export const notFoundScreen = {
  file: "not-found/NotFoundPage",
  namespaces: ["not-found"],
} as const satisfies Pick<Screen, "file" | "namespaces">;

/**
 * The file of the build that is the page of a screen, with the preloads for the parts under
 * `parameter`; every other address gets `index.html`, which is that of `/home`.
 */
export function pageFile({ path }: Pick<Screen, "path">, parameter = ""): string {
  return path === "/home" ? "index.html" : `pages${path}${parameter && `.${parameter}`}.html`;
}

/** The page for an address; `parameters` are the names in its query. */
export function pageFileAt(path: string, parameters: readonly string[]): string {
  const screen = screens.find((screen) => screen.path === path);
  if (!screen) return "index.html";
  return pageFile(
    screen,
    Object.keys(screen.parts ?? {}).find((name) => parameters.includes(name)),
  );
}

/**
 * The active tab at `path`: the tab's own screen and those below it; elsewhere the tab the visitor
 * came from, or, for a screen opened directly or by a former address, the tab that the screen
 * names.
 */
export function getTabAt(path: string, from: Tab | null = null): Tab | null {
  const isBelow = ({ path: candidate }: { path: string }) => path.startsWith(`${candidate}/`);
  const tabPath = tabPaths.find((tab) => path === tab || isBelow({ path: tab }));
  if (tabPath || from) return tabPath ?? from;
  const screen = screens.find((screen) => screen.path === path) ?? screens.find(isBelow);
  return screen?.tab ?? null;
}
