/** A wallet app with its own browser, and the link that opens a page in it. */
interface WalletApp {
  name: string;
  /** The company that serves the link, and so learns that this site was opened. */
  company: string;
  /** `site` is an https address. */
  link: (site: URL) => string;
}

/** Only links that the apps' makers document; each leads to a download page without the app. */
const walletApps: readonly WalletApp[] = [
  {
    // https://docs.metamask.io/metamask-connect/evm/guides/metamask-exclusive/use-deeplinks/
    name: "MetaMask",
    company: "Consensys",
    link: ({ host, pathname }) => `https://link.metamask.io/dapp/${host}${pathname}`,
  },
  {
    // https://developer.trustwallet.com/developer/develop-for-trust/deeplinking; 60 is Ethereum in
    // SLIP-44.
    name: "Trust Wallet",
    company: "Trust Wallet",
    link: ({ href }) =>
      `https://link.trustwallet.com/open_url?coin_id=60&url=${encodeURIComponent(href)}`,
  },
  {
    // https://docs.cdp.coinbase.com/coinbase-wallet/developer-guidance/mobile-dapp-integration
    name: "Coinbase Wallet",
    company: "Coinbase",
    link: ({ href }) => `https://go.cb-w.com/dapp?cb_url=${encodeURIComponent(href)}`,
  },
  {
    // https://web3.okx.com/build/docs/waas/app-universal-link
    name: "OKX Wallet",
    company: "OKX",
    link: ({ href }) => {
      const deepLink = `okx://wallet/dapp/url?dappUrl=${encodeURIComponent(href)}`;
      return `https://web3.okx.com/download?deeplink=${encodeURIComponent(deepLink)}`;
    },
  },
];

export interface WalletAppLink {
  name: string;
  company: string;
  href: string;
}

/**
 * The links that open this instance in a wallet app; none for a page that is not on https, which
 * those browsers refuse. Only the home page's address is passed on: never the query, which may
 * contain an invitation or a class code.
 */
export function listWalletAppLinks(origin: string): WalletAppLink[] {
  const site = new URL("/home", origin);
  if (site.protocol !== "https:") return [];
  return walletApps.map(({ name, company, link }) => ({ name, company, href: link(site) }));
}
