/** A screen of the phone app at an address of its own. A new one is an entry here and its file. */
export interface Screen {
  /** Whole; details travel in the query. */
  path: `/${string}`;
  /** Its component, the default export of `web/screens/<file>.tsx`. */
  file: `${string}/${string}Page`;
  /** Messages that it needs besides those of the frame: folders of `i18n`. */
  namespaces: readonly string[];
  /** The tab that is active there, by its path. */
  tab: "/home" | "/robot-run-page" | "/uc-team" | "/ucenter" | null;
  /** Keeps its state while another screen is shown. */
  keepsState?: boolean;
  /**
   * Where people arrive, and may be told something at the foot; on screens with a task the foot
   * belongs to its buttons.
   */
  takesNotices?: boolean;
}

/**
 * Every screen of the phone app (product.md, section 3): the app draws them, and the server answers
 * their addresses with the app's page, any other with 404. `/` leads to `/home`.
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
    namespaces: ["contracts"],
    tab: "/home",
    keepsState: true,
    takesNotices: true,
  },
  {
    path: "/business/orders",
    file: "contracts/OrdersPage",
    namespaces: ["contracts"],
    tab: "/home",
  },
  {
    path: "/wallet",
    file: "wallet/WalletPage",
    namespaces: ["wallet", "records"],
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
  { path: "/verify", file: "verify/VerifyPage", namespaces: ["verify", "receipt"], tab: "/home" },
  {
    path: "/ucenter",
    file: "account/AccountPage",
    namespaces: ["ucenter", "authorized", "signin"],
    tab: "/ucenter",
    takesNotices: true,
  },
  {
    path: "/authorized-activity",
    file: "wallet-requests/WalletRequestsPage",
    namespaces: ["authorized"],
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
    namespaces: ["news"],
    tab: "/home",
    takesNotices: true,
  },
  { path: "/real_name", file: "identity/IdentityPage", namespaces: ["identity"], tab: "/ucenter" },
  { path: "/dev/gallery", file: "gallery/GalleryPage", namespaces: [], tab: null },
];

/** What is drawn at any other address. */
export const notFoundScreen = {
  file: "not-found/NotFoundPage",
  namespaces: ["not_found"],
} as const satisfies Pick<Screen, "file" | "namespaces">;

/**
 * The screen at `path`; below the path of one, as for an address that it had once, that one's tab
 * is still active.
 */
export function tabAt(path: string): Screen["tab"] {
  const found =
    screens.find((screen) => screen.path === path) ??
    screens.find((screen) => path.startsWith(`${screen.path}/`));
  return found?.tab ?? null;
}
