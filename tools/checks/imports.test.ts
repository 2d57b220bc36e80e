import { globSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { table, testExtras } from "./importTable.ts";

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

const importPattern =
  /(?:^|[;\n])\s*(?:import|export)\s[^;]*?from\s*["']([^"']+)["']|import\(\s*["']([^"']+)["']\s*\)|(?:^|\n)import\s*["']([^"']+)["']/g;

function getImports(text: string): string[] {
  return [...text.matchAll(importPattern)].map(
    (match) => (match[1] ?? match[2] ?? match[3]) as string,
  );
}

/** The path inside the project that an import refers to, or null for a package. */
function resolveImport(file: string, specifier: string): string | null {
  if (specifier.startsWith("#")) return specifier.slice(1);
  if (specifier.startsWith(".")) return relative(root, join(root, dirname(file), specifier));
  return null;
}

function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`) || path.replace(/\.tsx?$/, "") === folder;
}

function violation(file: string, specifier: string): string | null {
  const rule = table.find(({ importers }) => importers.test(file));
  if (!rule) return `${file}: no rule covers its folder`;
  const ownFolder = rule.importers.exec(file)?.[1] ?? "";
  const isTest = /(\.test\.tsx?|\/testing\.ts)$/.test(file);
  const target = resolveImport(file, specifier);
  if (target !== null) {
    const allowed = rule.folders.map((folder) => folder.replace("$1", ownFolder));
    if (isTest) allowed.push(...(testExtras[file.split("/")[0] as string] ?? []));
    return allowed.some((folder) => isInside(target, folder))
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
  const violations = files.flatMap((file) =>
    getImports(readFileSync(join(root, file), "utf8")).map((specifier) =>
      violation(file, specifier),
    ),
  );
  expect(violations.filter((line) => line !== null)).toEqual([]);
});

test("screens import only packages listed in package.json", () => {
  const { dependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const violations = files
    .filter((file) => /^(web|operator|ui|i18n)\//.test(file) && !/\.test\.tsx?$/.test(file))
    .flatMap((file) =>
      getImports(readFileSync(join(root, file), "utf8"))
        .filter((specifier) => resolveImport(file, specifier) === null)
        .map((specifier) => /^(@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? specifier)
        .filter((name) => !/^(node|virtual):/.test(name) && !(name in dependencies))
        .map((name) => `${file} imports ${name}`),
    );
  expect(violations).toEqual([]);
});

/** The other markets then neither load it nor can call it. */
test("ccxt is loaded by one file, which only the live market's process imports", () => {
  const liveFolder = "server/market/live";
  const product = files.filter((file) => !/\.test\.tsx?$/.test(file));
  const filesNamingCcxt = product.filter((file) =>
    /(?:from|import|resolve|require)\b[\s(]*["']ccxt/.test(readFileSync(join(root, file), "utf8")),
  );
  expect(filesNamingCcxt).toEqual([`${liveFolder}/publicExchange.ts`]);
  // `import type` is gone at run time.
  const importers = (imported: string) =>
    product.filter((file) =>
      getImports(readFileSync(join(root, file), "utf8").replaceAll(/^import type .*?;$/gms, ""))
        .map((specifier) => resolveImport(file, specifier))
        .includes(imported),
    );
  const reachedFiles = new Set(filesNamingCcxt);
  for (const file of reachedFiles)
    for (const importer of importers(file)) reachedFiles.add(importer);
  expect([...reachedFiles].toSorted()).toEqual(
    ["klineReader", "liveMain", "liveVenue", "publicExchange"].map(
      (name) => `${liveFolder}/${name}.ts`,
    ),
  );
});

/**
 * Circular imports, each as the path around the circle. Imports of types count: code that two files
 * share belongs in a third, so that each can be read without the other.
 */
function getCircles(imports: ReadonlyMap<string, readonly string[]>): string[] {
  const circles: string[] = [];
  const finished = new Set<string>();
  const path: string[] = [];
  const visit = (file: string) => {
    const index = path.indexOf(file);
    if (index >= 0) circles.push([...path.slice(index), file].join(" → "));
    if (index >= 0 || finished.has(file)) return;
    path.push(file);
    for (const imported of imports.get(file) ?? []) visit(imported);
    path.pop();
    finished.add(file);
  };
  for (const file of imports.keys()) visit(file);
  return circles;
}

test("no files import each other in a cycle, not even for types", () => {
  const knownFiles = new Set(files);
  const imports = new Map(
    files.map((file) => {
      const specifiers = getImports(readFileSync(join(root, file), "utf8"));
      const places = specifiers.flatMap((specifier) => resolveImport(file, specifier) ?? []);
      return [file, places.filter((target) => knownFiles.has(target))] as const;
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
])("a cycle is detected: %s", (_what, imports, expected) => {
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
  const specifiers = values ? specifier : dynamic;
  return (
    /^(web|operator|ui)\//.test(file) &&
    !/\.test\.tsx?$/.test(file) &&
    specifiers !== "" &&
    !/^(call|client|routes\/.+)\.ts$/.test(specifiers)
  );
}

test("web code imports the wire's types, and values only of its client and routes", () => {
  const violations = files.flatMap((file) =>
    (
      readFileSync(join(root, file), "utf8").match(
        /import\s*(\{[^}]*\}\s*from\s*"|\(")#api\/[^"]+"\)?/g,
      ) ?? []
    )
      .filter((line) => isDefinition(file, line))
      .map((line) => `${file}: ${line}`),
  );
  expect(violations).toEqual([]);
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
