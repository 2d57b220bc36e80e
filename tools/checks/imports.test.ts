import { globSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

/**
 * The import table of ARCHITECTURE.md. A folder is a folder that the table names (`core/money`,
 * `server/platform`, `web/home`); a file may import from its own folder and from the folders and
 * packages listed for it.
 */
const root = join(dirname(fileURLToPath(import.meta.url)), "../..");
const folders = [
  "build",
  "core",
  "api",
  "server",
  "web",
  "operator",
  "ui",
  "i18n",
  "verify",
  "seed",
  "tools",
  "e2e",
];

interface Rule {
  /** The folders this rule applies to. */
  from: RegExp;
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
const table: Rule[] = [
  {
    from: /^core\/backtest/,
    folders: ["core/backtest", "core/hosting", ...shared],
    packages: [],
  },
  // A run repeats what the products' own rules decide.
  {
    from: /^core\/monte-carlo/,
    folders: ["core/monte-carlo", "core/contracts", "core/hosting", "core/mining", ...shared],
    packages: ["@noble/hashes"],
  },
  {
    from: /^core\/(addresses|exchange|recharge|withdraw)/,
    folders: ["core/$1", "core/wallet", ...shared],
    packages: ["@noble/hashes", "@scure/base"],
  },
  {
    from: /^core\/classes/,
    folders: ["core/classes", "core/beliefs", "core/contracts", ...shared],
    // A backup of a practice wallet is encrypted in the browser.
    packages: ["@noble/ciphers", "@noble/hashes"],
  },
  {
    from: /^core\/records/,
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
    from: /^core\/(market)/,
    folders: ["core/$1", ...shared],
    packages: ["@noble/ciphers", "@noble/hashes"],
  },
  {
    from: /^core\/([\w-]+)/,
    folders: ["core/$1", ...shared],
    packages: ["@noble/hashes", "@scure/base"],
  },
  { from: /^api/, folders: ["api", "core"], packages: ["zod"] },
  {
    from: /^server\/platform/,
    folders: ["server/platform", "core", "api", "i18n"],
    packages: ["*"],
  },
  // The module definition names the fields of all registers, so it imports types (no values) from
  // the domains that own them.
  {
    from: /^server\/module\//,
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
  // Only a domain's declaration knows about modules.
  {
    from: /^server\/(address-book|attempts|exchange|recharge|records|send|withdraw)\/module/,
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
    from: /^server\/([\w-]+)\/(?:[\w-]+\/)?module\.ts/,
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
  { from: /^server\/postgres/, folders: ["server/postgres", "server/platform"], packages: ["*"] },
  { from: /^server\/app/, folders: ["server", "core", "api", "i18n", "seed"], packages: ["*"] },
  {
    from: /^server\/main/,
    folders: ["server", "core", "api", "seed", "build"],
    packages: ["*"],
  },
  { from: /^server\/testing/, folders: ["server", "core", "api", "seed"], packages: ["*"] },
  // Every domain that moves a person's coins shares addresses, the PIN, coin values, and the form
  // of a record.
  {
    from: /^server\/(address-book|attempts|exchange|recharge|records|send|withdraw)\//,
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
    from: /^server\/publishing/,
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
    from: /^server\/([\w-]+)/,
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
  { from: /^web\/app/, folders: ["web", "ui", "i18n", "api", "core"], packages: ["*"] },
  { from: /^web\/lib/, folders: ["web/lib", "ui", "i18n", "api", "core"], packages: ["*"] },
  {
    from: /^web\/features/,
    folders: ["web/features", "web/lib", "ui", "i18n", "api", "core"],
    packages: ["*"],
  },
  // Backtests are opened from the page that explains a strategy.
  {
    from: /^web\/screens\/hosting/,
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
    from: /^web\/screens\/([\w-]+)/,
    folders: ["web/screens/$1", "web/features", "web/lib", "ui", "i18n", "api", "core"],
    packages: ["*"],
  },
  // The page list combines all pages of the console.
  {
    from: /^operator\/app\/pages/,
    folders: ["operator", "web/features", "web/lib", "ui", "i18n", "api", "core"],
    packages: ["*"],
  },
  // The phone app's frame (client, session, settings) is shared unchanged.
  {
    from: /^operator\/([\w-]+)/,
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
  { from: /^ui/, folders: ["ui", "i18n", "core/locales", "core/money"], packages: ["*"] },
  { from: /^i18n/, folders: ["i18n", "core/locales"], packages: ["*"] },
  { from: /^verify/, folders: ["verify"], packages: ["@noble/hashes", "@noble/curves"] },
  { from: /^seed/, folders: ["seed", "api", "core", "server/platform"], packages: ["*"] },
  {
    from: /^build/,
    folders: ["build", "api", "i18n", "core/locales", "core/screens", "core/transparency-log"],
    packages: ["*"],
  },
  // Measures what runs in browsers.
  {
    from: /^tools\/bench\/receipts/,
    folders: ["tools", "web/features/receipt"],
    packages: ["@noble/curves"],
  },
  {
    from: /^tools/,
    folders: ["tools", "build", "seed", "server", "api", "core", "i18n"],
    packages: ["*"],
  },
  {
    from: /^e2e/,
    folders: ["e2e", "tools/browser", "tools/class", "api", "seed", "core"],
    packages: ["*"],
  },
];

/**
 * Tests may also import the test harness and what they compare against; product code never imports
 * a test.
 */
const testExtras: Record<string, string[]> = {
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

const importPattern =
  /(?:^|[;\n])\s*(?:import|export)\s[^;]*?from\s*["']([^"']+)["']|import\(\s*["']([^"']+)["']\s*\)|(?:^|\n)import\s*["']([^"']+)["']/g;

function getImports(text: string): string[] {
  return [...text.matchAll(importPattern)].map(
    (match) => (match[1] ?? match[2] ?? match[3]) as string,
  );
}

/** The path inside the project that an import refers to, or null for a package. */
function getPlace(file: string, specifier: string): string | null {
  if (specifier.startsWith("#")) return specifier.slice(1);
  if (specifier.startsWith(".")) return relative(root, join(root, dirname(file), specifier));
  return null;
}

function isInside(place: string, folder: string): boolean {
  return (
    place === folder || place.startsWith(`${folder}/`) || place.replace(/\.tsx?$/, "") === folder
  );
}

function violation(file: string, specifier: string): string | null {
  const rule = table.find(({ from }) => from.test(file));
  if (!rule) return `${file}: no rule covers its folder`;
  const own = rule.from.exec(file)?.[1] ?? "";
  const isTest = /(\.test\.tsx?|\/testing\.ts)$/.test(file);
  const place = getPlace(file, specifier);
  if (place !== null) {
    const allowed = rule.folders.map((folder) => folder.replace("$1", own));
    if (isTest) allowed.push(...(testExtras[file.split("/")[0] as string] ?? []));
    return allowed.some((folder) => isInside(place, folder))
      ? null
      : `${file} imports ${specifier}`;
  }
  if (isTest || specifier.startsWith("node:")) {
    return specifier.startsWith("node:") && /^(core|api|ui|web|operator)\//.test(file) && !isTest
      ? `${file} imports ${specifier}`
      : null;
  }
  const allowed = rule.packages.some(
    (name) => name === "*" || specifier === name || specifier.startsWith(`${name}/`),
  );
  return allowed ? null : `${file} imports ${specifier}`;
}

const files = folders.flatMap((folder) =>
  globSync(`${folder}/**/*.{ts,tsx}`, { cwd: root }).map((file) => file.replaceAll("\\", "/")),
);

test("imports follow the table in ARCHITECTURE.md", () => {
  const found = files.flatMap((file) =>
    getImports(readFileSync(join(root, file), "utf8")).map((specifier) =>
      violation(file, specifier),
    ),
  );
  expect(found.filter((line) => line !== null)).toEqual([]);
});

test("screens import only packages listed in package.json", () => {
  const { dependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const found = files
    .filter((file) => /^(web|operator|ui|i18n)\//.test(file) && !/\.test\.tsx?$/.test(file))
    .flatMap((file) =>
      getImports(readFileSync(join(root, file), "utf8"))
        .filter((specifier) => getPlace(file, specifier) === null)
        .map((specifier) => /^(@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? specifier)
        .filter((name) => !/^(node|virtual):/.test(name) && !(name in dependencies))
        .map((name) => `${file} imports ${name}`),
    );
  expect(found).toEqual([]);
});

/** So that the other markets neither load it nor could call it. */
test("ccxt is loaded by one file, which only the live market's process imports", () => {
  const live = "server/market/live";
  const product = files.filter((file) => !/\.test\.tsx?$/.test(file));
  const naming = product.filter((file) =>
    /(?:from|import|resolve|require)\b[\s(]*["']ccxt/.test(readFileSync(join(root, file), "utf8")),
  );
  expect(naming).toEqual([`${live}/publicExchange.ts`]);
  // `import type` is gone at run time.
  const importers = (imported: string) =>
    product.filter((file) =>
      getImports(readFileSync(join(root, file), "utf8").replaceAll(/^import type .*?;$/gms, ""))
        .map((specifier) => getPlace(file, specifier))
        .includes(imported),
    );
  const reached = new Set(naming);
  for (const file of reached) for (const importer of importers(file)) reached.add(importer);
  expect([...reached].toSorted()).toEqual(
    ["klineReader", "liveMain", "liveVenue", "publicExchange"].map((name) => `${live}/${name}.ts`),
  );
});

/**
 * Circular imports, each as the path around the circle. Imports of types count: what two files
 * share belongs in a third, so that each can be read without the other.
 */
function getCircles(imports: ReadonlyMap<string, readonly string[]>): string[] {
  const circles: string[] = [];
  const done = new Set<string>();
  const path: string[] = [];
  const visit = (file: string) => {
    const at = path.indexOf(file);
    if (at >= 0) circles.push([...path.slice(at), file].join(" → "));
    if (at >= 0 || done.has(file)) return;
    path.push(file);
    for (const imported of imports.get(file) ?? []) visit(imported);
    path.pop();
    done.add(file);
  };
  for (const file of imports.keys()) visit(file);
  return circles;
}

test("no files import each other in a cycle, not even for types", () => {
  const known = new Set(files);
  const imports = new Map(
    files.map((file) => {
      const specifiers = getImports(readFileSync(join(root, file), "utf8"));
      const places = specifiers.flatMap((specifier) => getPlace(file, specifier) ?? []);
      return [file, places.filter((place) => known.has(place))] as const;
    }),
  );
  expect([...imports.values()].flat().length).toBeGreaterThan(files.length);
  expect(getCircles(imports)).toEqual([]);
});

test.each([
  ["none", { a: ["b", "c"], b: ["c"], c: [] }, []],
  ["two files", { a: ["b"], b: ["a"] }, ["a → b → a"]],
  ["a file itself", { a: ["a"] }, ["a → a"]],
  ["a cycle behind a file", { a: ["b"], b: ["c"], c: ["d"], d: ["b"] }, ["b → c → d → b"]],
  [
    "two cycles through one file",
    { a: ["b", "c"], b: ["a"], c: ["a"] },
    ["a → b → a", "a → c → a"],
  ],
])("a cycle is found: %s", (_what, imports, expected) => {
  expect(getCircles(new Map(Object.entries(imports)))).toEqual(expected);
});

/**
 * Returns true if a line of browser code bundles call definitions, which bring their schemas with
 * them.
 */
function isDefinition(file: string, line: string): boolean {
  const [, names = "", specifier = ""] =
    /import\s+\{([^}]*)\}\s+from\s+"#api\/([^"]+)"/.exec(line) ?? [];
  const dynamic = /import\("#api\/([^"]+)"\)/.exec(line)?.[1] ?? "";
  const values = names.split(",").some((name) => /^\s*\w/.test(name) && !/^\s*type\s/.test(name));
  const taken = values ? specifier : dynamic;
  return (
    /^(web|operator|ui)\//.test(file) &&
    !/\.test\.tsx?$/.test(file) &&
    taken !== "" &&
    !/^(call|client|routes\/.+)\.ts$/.test(taken)
  );
}

test("web code imports the wire's types, and values only of its client and routes", () => {
  const found = files.flatMap((file) =>
    (
      readFileSync(join(root, file), "utf8").match(
        /import\s*(\{[^}]*\}\s*from\s*"|\(")#api\/[^"]+"\)?/g,
      ) ?? []
    )
      .filter((line) => isDefinition(file, line))
      .map((line) => `${file}: ${line}`),
  );
  expect(found).toEqual([]);
});

test.each([
  ["web/lib/x.ts", 'import { getConfig } from "#api/meta.ts"', true],
  ["web/lib/x.ts", 'import { type Config, getConfig } from "#api/meta.ts"', true],
  ["operator/app/x.ts", 'import("#api/invites.ts")', true],
  ["web/lib/x.ts", 'import { type Config } from "#api/meta.ts"', false],
  ["web/lib/x.ts", 'import { getConfig } from "#api/routes/meta.ts"', false],
  ["server/app/x.ts", 'import { getConfig } from "#api/meta.ts"', false],
] as const)("in %s the line %s imports a definition: %s", (file, line, expected) => {
  expect(isDefinition(file, line)).toBe(expected);
});

test("the checks cover the whole repository", () => {
  expect(files.length).toBeGreaterThan(100);
  const imports = files.flatMap((file) => getImports(readFileSync(join(root, file), "utf8")));
  expect(imports.length).toBeGreaterThan(files.length);
});

test.each([
  ["core/contracts/settle.ts", "#server/platform/db/database.ts"],
  ["core/contracts/settle.ts", "#core/session/message.ts"],
  ["core/money/coins.ts", "node:crypto"],
  ["core/money/coins.ts", "zod"],
  ["server/contracts/store.ts", "#server/session/store.ts"],
  ["server/platform/db/database.ts", "#server/ledger/ledger.ts"],
  ["server/contracts/module.ts", "#server/session/session.ts"],
  ["server/contracts/contracts.ts", "#server/module/module.ts"],
  ["server/module/compose.ts", "#server/contracts/contracts.ts"],
  ["web/screens/contracts/ContractsPage.tsx", "#web/screens/wallet/WalletPage.tsx"],
  ["web/features/session/provider.ts", "#web/screens/home/HomePage.tsx"],
  ["web/lib/api/client.ts", "#web/features/session/provider.ts"],
  ["ui/Button.tsx", "#api/client.ts"],
  ["verify/main.ts", "#core/transparency-log/merkle.ts"],
  ["e2e/main-job.spec.ts", "#server/main.ts"],
])("%s may not import %s", (file, specifier) => {
  expect(violation(file, specifier)).not.toBeNull();
});
