import { type LazyScreen, lazyScreen } from "#web/lib/lazyPage.ts";

export interface ScreenRoute {
  path: string;
  Screen: LazyScreen;
  /** Keeps its state while another screen is shown. */
  kept?: boolean;
}

/** Every screen of the phone app. `/` leads to `/home`; what is not here is the not-found page. */
export const screens: readonly ScreenRoute[] = [
  { path: "/home", Screen: lazyScreen(() => import("#web/screens/home/HomePage.tsx")), kept: true },
  {
    path: "/business",
    Screen: lazyScreen(() => import("#web/screens/contracts/ContractsPage.tsx"), ["contracts"]),
    kept: true,
  },
  {
    path: "/business/orders",
    Screen: lazyScreen(() => import("#web/screens/contracts/OrdersPage.tsx"), ["contracts"]),
  },
  {
    path: "/wallet",
    Screen: lazyScreen(() => import("#web/screens/wallet/WalletPage.tsx"), ["wallet", "records"]),
    kept: true,
  },
  {
    path: "/wallet-info",
    Screen: lazyScreen(
      () => import("#web/screens/wallet/WalletInfoPage.tsx"),
      ["wallet", "records"],
    ),
  },
  {
    path: "/wallet-record",
    Screen: lazyScreen(
      () => import("#web/screens/wallet/WalletRecordPage.tsx"),
      ["wallet", "records"],
    ),
  },
  {
    path: "/verify",
    Screen: lazyScreen(() => import("#web/screens/verify/VerifyPage.tsx"), ["verify", "receipt"]),
  },
  {
    path: "/ucenter",
    Screen: lazyScreen(
      () => import("#web/screens/account/AccountPage.tsx"),
      ["ucenter", "authorized", "signin"],
    ),
  },
  {
    path: "/authorized-activity",
    Screen: lazyScreen(
      () => import("#web/screens/wallet-requests/WalletRequestsPage.tsx"),
      ["authorized"],
    ),
  },
  {
    path: "/help",
    Screen: lazyScreen(() => import("#web/screens/help/HelpPage.tsx"), ["help"]),
  },
  { path: "/language", Screen: lazyScreen(() => import("#web/screens/language/LanguagePage.tsx")) },
  {
    path: "/ai",
    Screen: lazyScreen(() => import("#web/screens/hosting/HostingPage.tsx"), ["hosting"]),
    kept: true,
  },
  {
    path: "/ai/intro",
    Screen: lazyScreen(() => import("#web/screens/hosting/IntroPage.tsx"), ["hosting"]),
  },
  {
    path: "/ai/product",
    Screen: lazyScreen(() => import("#web/screens/hosting/ProductPage.tsx"), ["hosting"]),
  },
  {
    path: "/ai/record",
    Screen: lazyScreen(() => import("#web/screens/hosting/RecordPage.tsx"), ["hosting"]),
  },
  {
    path: "/robot-run-page",
    Screen: lazyScreen(() => import("#web/screens/hosting/RunPage.tsx"), ["hosting"]),
  },
  {
    path: "/mining",
    Screen: lazyScreen(() => import("#web/screens/mining/MiningPage.tsx"), ["mining"]),
    kept: true,
  },
  {
    path: "/mining/intro",
    Screen: lazyScreen(() => import("#web/screens/mining/IntroPage.tsx"), ["mining"]),
  },
  {
    path: "/mining/mechine-buy",
    Screen: lazyScreen(() => import("#web/screens/mining/BuyPage.tsx"), ["mining"]),
  },
  {
    path: "/mining/record",
    Screen: lazyScreen(() => import("#web/screens/mining/RecordPage.tsx"), ["mining"]),
  },
  {
    path: "/miningrecord",
    Screen: lazyScreen(() => import("#web/screens/mining/PayoutsPage.tsx"), ["mining"]),
  },
  {
    path: "/share",
    Screen: lazyScreen(() => import("#web/screens/invites/SharePage.tsx"), ["invites"]),
  },
  {
    path: "/uc-team",
    Screen: lazyScreen(() => import("#web/screens/invites/TeamPage.tsx"), ["invites"]),
  },
  {
    path: "/news-list",
    Screen: lazyScreen(() => import("#web/screens/publishing/NewsPage.tsx"), ["news"]),
  },
  {
    path: "/real_name",
    Screen: lazyScreen(() => import("#web/screens/identity/IdentityPage.tsx"), ["identity"]),
  },
  {
    path: "/dev/gallery",
    Screen: lazyScreen(() => import("#web/screens/gallery/GalleryPage.tsx")),
  },
];

export const NotFound = lazyScreen(
  () => import("#web/screens/not-found/NotFoundPage.tsx"),
  ["not_found"],
);
