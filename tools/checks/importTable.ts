interface Rule {
  /** The folders this rule applies to. */
  importers: RegExp;
  /** Folders of the project that may be imported; `$1` stands for what `from` captured. */
  folders: string[];
  /** Packages that may be imported; `*` for any. */
  packages: string[];
}

const shared = [
  "core/locales",
  "core/money",
  "core/ledger",
  "core/market",
  "core/transparency-log",
];

/**
 * The import table of ARCHITECTURE.md. A folder is a folder that the table names (`core/money`,
 * `server/platform`, `web/home`); a file may import from its own folder and from the folders and
 * packages listed for it.
 */
export const table: Rule[] = [
  {
    importers: /^core\/backtest/,
    folders: ["core/backtest", "core/hosting", ...shared],
    packages: [],
  },
  // A run applies the products' own rules.
  {
    importers: /^core\/monte-carlo/,
    folders: ["core/monte-carlo", "core/contracts", "core/hosting", "core/mining", ...shared],
    packages: ["@noble/hashes"],
  },
  {
    importers: /^core\/(addresses|exchange|recharge|withdraw)/,
    folders: ["core/$1", "core/wallet", ...shared],
    packages: ["@noble/hashes", "@scure/base"],
  },
  {
    importers: /^core\/classes/,
    folders: ["core/classes", "core/beliefs", "core/contracts", ...shared],
    // A backup of a practice wallet is encrypted in the browser.
    packages: ["@noble/ciphers", "@noble/hashes"],
  },
  {
    importers: /^core\/records/,
    folders: [
      "core/records",
      "core/contracts",
      "core/exchange",
      "core/hosting",
      "core/invites",
      "core/mining",
      "core/withdraw",
      ...shared,
    ],
    packages: ["@noble/hashes"],
  },
  // The simulated market's randomness comes from a stream cipher.
  {
    importers: /^core\/(market)/,
    folders: ["core/$1", ...shared],
    packages: ["@noble/ciphers", "@noble/hashes"],
  },
  {
    importers: /^core\/([\w-]+)/,
    folders: ["core/$1", ...shared],
    packages: ["@noble/hashes", "@scure/base"],
  },
  { importers: /^api/, folders: ["api", "core"], packages: ["zod"] },
  {
    importers: /^server\/platform/,
    folders: ["server/platform", "core", "api", "i18n"],
    packages: ["*"],
  },
  // The module definition names the fields of all registers, so it imports types (no values) from
  // the domains that own them.
  {
    importers: /^server\/module\//,
    folders: [
      "server/module",
      "server/platform",
      "server/ledger/audit",
      "server/market/dayLeaves",
      "server/market/feed",
      "server/records/types",
      "server/attempts/types",
      "server/account/personalData",
      "server/classes/tasks",
      "server/operator/people/deps",
      "core",
      "api",
    ],
    packages: ["*"],
  },
  // Only a domain's declaration imports modules.
  {
    importers: /^server\/(address-book|attempts|exchange|recharge|records|send|withdraw)\/module/,
    folders: [
      "server/$1",
      "server/module",
      "server/pin",
      "server/platform",
      "server/ledger",
      "server/market",
      "server/transparency-log",
      "core",
      "api",
    ],
    packages: [],
  },
  {
    importers: /^server\/([\w-]+)\/(?:[\w-]+\/)?module\.ts/,
    folders: [
      "server/$1",
      "server/module",
      "server/platform",
      "server/ledger",
      "server/market",
      "server/transparency-log",
      "core",
      "api",
    ],
    packages: [],
  },
  {
    importers: /^server\/postgres/,
    folders: ["server/postgres", "server/platform"],
    packages: ["*"],
  },
  {
    importers: /^server\/app/,
    folders: ["server", "core", "api", "i18n", "seed"],
    packages: ["*"],
  },
  {
    importers: /^server\/main/,
    folders: ["server", "core", "api", "seed", "build"],
    packages: ["*"],
  },
  { importers: /^server\/testing/, folders: ["server", "core", "api", "seed"], packages: ["*"] },
  // Every domain that moves a person's coins shares addresses, the PIN, coin values, and the form
  // of a record.
  {
    importers: /^server\/(address-book|attempts|exchange|recharge|records|send|withdraw)\//,
    folders: [
      "server/$1",
      "server/addresses",
      "server/liabilities",
      "server/pin",
      "server/records",
      "server/wallet",
      "server/platform",
      "server/ledger",
      "server/market",
      "server/transparency-log",
      "core",
      "api",
      "i18n",
    ],
    packages: ["*"],
  },
  // A world's built-in products and posts are published like any other.
  {
    importers: /^server\/publishing/,
    folders: [
      "server/publishing",
      "server/platform",
      "server/transparency-log",
      "core",
      "api",
      "i18n",
      "seed",
    ],
    packages: ["*"],
  },
  {
    importers: /^server\/([\w-]+)/,
    folders: [
      "server/$1",
      "server/platform",
      "server/ledger",
      "server/market",
      "server/transparency-log",
      "core",
      "api",
      "i18n",
    ],
    packages: ["*"],
  },
  // The app's frame and route table combine the screens of all domains, as server/app does for the
  // server.
  { importers: /^web\/app/, folders: ["web", "ui", "i18n", "api", "core"], packages: ["*"] },
  { importers: /^web\/lib/, folders: ["web/lib", "ui", "i18n", "api", "core"], packages: ["*"] },
  {
    importers: /^web\/features/,
    folders: ["web/features", "web/lib", "ui", "i18n", "api", "core"],
    packages: ["*"],
  },
  // Backtests are opened from the page that explains a strategy.
  {
    importers: /^web\/screens\/hosting/,
    folders: [
      "web/screens/hosting",
      "web/screens/backtest",
      "web/features",
      "web/lib",
      "ui",
      "i18n",
      "api",
      "core",
    ],
    packages: ["*"],
  },
  {
    importers: /^web\/screens\/([\w-]+)/,
    folders: ["web/screens/$1", "web/features", "web/lib", "ui", "i18n", "api", "core"],
    packages: ["*"],
  },
  // The page list combines all pages of the console.
  {
    importers: /^operator\/app\/pages/,
    folders: ["operator", "web/features", "web/lib", "ui", "i18n", "api", "core"],
    packages: ["*"],
  },
  // The phone app's frame (client, session, settings) is shared unchanged.
  {
    importers: /^operator\/([\w-]+)/,
    folders: [
      "operator/$1",
      "operator/app",
      "web/features",
      "web/lib",
      "ui",
      "i18n",
      "api",
      "core",
    ],
    packages: ["*"],
  },
  { importers: /^ui/, folders: ["ui", "i18n", "core/locales", "core/money"], packages: ["*"] },
  { importers: /^i18n/, folders: ["i18n", "core/locales"], packages: ["*"] },
  { importers: /^verify/, folders: ["verify"], packages: ["@noble/hashes", "@noble/curves"] },
  { importers: /^seed/, folders: ["seed", "api", "core", "server/platform"], packages: ["*"] },
  {
    importers: /^build/,
    folders: ["build", "api", "i18n", "core/locales", "core/screens", "core/transparency-log"],
    packages: ["*"],
  },
  // Measures what runs in browsers.
  {
    importers: /^tools\/bench\/receipts/,
    folders: ["tools", "web/features/receipt"],
    packages: ["@noble/curves"],
  },
  {
    importers: /^tools/,
    folders: ["tools", "build", "seed", "server", "api", "core", "i18n"],
    packages: ["*"],
  },
  {
    importers: /^e2e/,
    folders: ["e2e", "tools/browser", "tools/class", "api", "seed", "core"],
    packages: ["*"],
  },
];

/**
 * Tests may also import the test harness and what they compare against; product code never imports
 * a test.
 */
export const testExtras: Record<string, string[]> = {
  server: [
    "server/testing",
    "server/session",
    "server/wallet",
    "server/withdraw",
    "server/liabilities",
    "server/postgres",
    "server/contracts",
    "server/account",
    "server/addresses",
    "server/recharge",
    "server/app",
    "seed",
  ],
  web: ["web"],
  core: ["core"],
  // Both verifiers, compared.
  tools: ["verify", "web/features/receipt"],
  i18n: ["api", "core", "web", "ui", "server"],
};
