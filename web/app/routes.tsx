import { type LazyScreen, lazyScreen } from "#web/app/lazyScreen.ts";

export interface ScreenRoute {
  path: string;
  Screen: LazyScreen;
  /** Keeps its state while another screen is shown. */
  kept?: boolean;
}

/** Every screen of the phone app. `/` leads to `/home`; what is not here is the not-found page. */
export const screens: readonly ScreenRoute[] = [
  { path: "/home", Screen: lazyScreen(() => import("#web/home/HomePage.tsx")), kept: true },
  {
    path: "/business",
    Screen: lazyScreen(() => import("#web/business/BusinessPage.tsx"), ["contracts"]),
    kept: true,
  },
  {
    path: "/business/orders",
    Screen: lazyScreen(() => import("#web/business/OrdersPage.tsx"), ["contracts"]),
  },
  {
    path: "/wallet",
    Screen: lazyScreen(() => import("#web/wallet/WalletPage.tsx"), ["wallet", "records"]),
    kept: true,
  },
  {
    path: "/wallet-info",
    Screen: lazyScreen(() => import("#web/wallet/WalletInfoPage.tsx"), ["wallet", "records"]),
  },
  {
    path: "/wallet-record",
    Screen: lazyScreen(() => import("#web/wallet/WalletRecordPage.tsx"), ["wallet", "records"]),
  },
  {
    path: "/verify",
    Screen: lazyScreen(() => import("#web/verify/VerifyPage.tsx"), ["verify", "receipt"]),
  },
  {
    path: "/ucenter",
    Screen: lazyScreen(
      () => import("#web/ucenter/UcenterPage.tsx"),
      ["ucenter", "authorized", "signin"],
    ),
  },
  {
    path: "/authorized-activity",
    Screen: lazyScreen(
      () => import("#web/authorized-activity/AuthorizedActivityPage.tsx"),
      ["authorized"],
    ),
  },
  {
    path: "/help",
    Screen: lazyScreen(() => import("#web/help/HelpPage.tsx"), ["help"]),
  },
  { path: "/language", Screen: lazyScreen(() => import("#web/language/LanguagePage.tsx")) },
  {
    path: "/ai",
    Screen: lazyScreen(() => import("#web/ai/AiPage.tsx"), ["hosting"]),
    kept: true,
  },
  { path: "/ai/intro", Screen: lazyScreen(() => import("#web/ai/IntroPage.tsx"), ["hosting"]) },
  { path: "/ai/product", Screen: lazyScreen(() => import("#web/ai/ProductPage.tsx"), ["hosting"]) },
  { path: "/ai/record", Screen: lazyScreen(() => import("#web/ai/RecordPage.tsx"), ["hosting"]) },
  { path: "/robot-run-page", Screen: lazyScreen(() => import("#web/ai/RunPage.tsx"), ["hosting"]) },
  {
    path: "/mining",
    Screen: lazyScreen(() => import("#web/mining/MiningPage.tsx"), ["mining"]),
    kept: true,
  },
  {
    path: "/mining/intro",
    Screen: lazyScreen(() => import("#web/mining/IntroPage.tsx"), ["mining"]),
  },
  {
    path: "/mining/mechine-buy",
    Screen: lazyScreen(() => import("#web/mining/BuyPage.tsx"), ["mining"]),
  },
  {
    path: "/mining/record",
    Screen: lazyScreen(() => import("#web/mining/RecordPage.tsx"), ["mining"]),
  },
  {
    path: "/miningrecord",
    Screen: lazyScreen(() => import("#web/mining/PayoutsPage.tsx"), ["mining"]),
  },
  {
    path: "/share",
    Screen: lazyScreen(() => import("#web/share/SharePage.tsx"), ["invites"]),
  },
  {
    path: "/uc-team",
    Screen: lazyScreen(() => import("#web/uc-team/TeamPage.tsx"), ["invites"]),
  },
  { path: "/news-list", Screen: lazyScreen(() => import("#web/news/NewsPage.tsx"), ["news"]) },
  {
    path: "/real_name",
    Screen: lazyScreen(() => import("#web/real_name/RealNamePage.tsx"), ["identity"]),
  },
  { path: "/dev/gallery", Screen: lazyScreen(() => import("#web/gallery/GalleryPage.tsx")) },
];

export const NotFound = lazyScreen(() => import("#web/not_found/NotFoundPage.tsx"), ["not_found"]);
