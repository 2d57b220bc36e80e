import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { screens } from "#core/screens/screens.ts";
import { findChunks, type Manifest, writePages } from "./pages.ts";

const manifest: Manifest = {
  "index.html": { file: "assets/index.js", imports: ["_shared.js"] },
  "_shared.js": { file: "assets/shared.js" },
  "_row.js": { file: "assets/row.js", imports: ["index.html"] },
  ...Object.fromEntries(
    screens
      .flatMap(({ file, namespaces, parts = {} }) => [
        ...[file, ...Object.values(parts).flat()].map((name) => `screens/${name}.tsx`),
        ...["shell", ...namespaces].map((name) => `../virtual:messages/en/${name}`),
      ])
      .map((key) => [key, { file: `assets/${key.split("/").at(-1)}.js`, imports: ["_row.js"] }]),
  ),
};

test("findChunks returns a screen's chunk and its imports, once each", () => {
  expect(findChunks(manifest, ["home/HomePage.tsx"]).toSorted()).toEqual([
    "assets/HomePage.tsx.js",
    "assets/index.js",
    "assets/row.js",
    "assets/shared.js",
  ]);
});

test("a screen without a chunk fails the build", () => {
  expect(() => findChunks(manifest, ["screens/Elsewhere.tsx"])).toThrow("screens/Elsewhere.tsx");
});

test("the page of each screen preloads what it renders first, and names no file twice", () => {
  const directory = mkdtempSync(join(tmpdir(), "drydock-pages-"));
  const entry = `<script type="module" crossorigin src="/assets/index.js"></script>`;
  writeFileSync(join(directory, "index.html"), `<head>\n    ${entry}\n  </head>`);
  writeFileSync(join(directory, "manifest.json"), JSON.stringify(manifest));
  writePages(directory);
  const preloads = (file: string) =>
    [
      ...readFileSync(join(directory, file), "utf8").matchAll(
        /(?:src|href)="\/assets\/([^"]+)\.js"/g,
      ),
    ]
      .map(([, name]) => name)
      .toSorted();
  const frame = ["index", "row", "shared", "shell"];
  expect(preloads("index.html")).toEqual(["HomePage.tsx", ...frame]);
  expect(preloads("pages/business.html")).toEqual(
    ["ContractsPage.tsx", "MarketPage.tsx", "contracts", ...frame].toSorted(),
  );
  expect(preloads("pages/business.contract_id.html")).toEqual(
    ["ContractsPage.tsx", "KlineChart.tsx", "TradePage.tsx", "contracts", ...frame].toSorted(),
  );
  expect(preloads("pages/business/orders.html")).toContain("OrdersPage.tsx");
  const laterPreloads = readFileSync(
    join(directory, "pages/business.contract_id.html"),
    "utf8",
  ).match(/.*fetchpriority="low".*/g);
  expect(laterPreloads).toEqual([
    '    <link rel="modulepreload" crossorigin fetchpriority="low" href="/assets/KlineChart.tsx.js">',
  ]);
  rmSync(directory, { recursive: true });
});
