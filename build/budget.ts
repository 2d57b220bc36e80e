import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

/**
 * Measures what a first visit to each route loads (JavaScript with the English catalogue, and CSS;
 * gzip, in KB of 1 000 bytes) from the Vite manifest of the last build. Exit code 1 if a route is
 * over its budget, or if a bundle contains a schema.
 */
interface Chunk {
  file: string;
  src?: string;
  imports?: string[];
  dynamicImports?: string[];
  css?: string[];
}

const directory = process.argv[2] ?? join(import.meta.dirname, "../dist/web");
const manifest = JSON.parse(readFileSync(join(directory, "manifest.json"), "utf8")) as Record<
  string,
  Chunk
>;

const homeMax = 120;
const cssMax = 10;
/** Largest first visit to any other screen, `/home`'s chunks included. */
const screenMax: Record<string, number> = { "contracts/trade/TradePage": 200 };
const screenMaxElse = 160;

const sizes = new Map<string, number>();
function gzipSize(file: string): number {
  let size = sizes.get(file);
  if (size === undefined) {
    size = gzipSync(readFileSync(join(directory, file)), { level: 9 }).length;
    sizes.set(file, size);
  }
  return size;
}

/** The files that `key` needs before it runs: itself and its static imports. */
function closure(key: string, keys = new Set<string>()): Set<string> {
  if (keys.has(key)) return keys;
  keys.add(key);
  for (const next of manifest[key]?.imports ?? []) closure(next, keys);
  return keys;
}

function kilobytes(keys: Iterable<string>): number {
  const files = new Set(
    [...keys].map((key) => manifest[key]?.file).filter((file) => file !== undefined),
  );
  return [...files].reduce((sum, file) => sum + gzipSize(file), 0) / 1000;
}

function keyEnding(end: string): string {
  const key = Object.keys(manifest).find((name) => name.endsWith(end));
  if (!key) throw new Error(`the manifest has no ${end}: build first`);
  return key;
}

const shell = closure(keyEnding("index.html"));
for (const key of closure(keyEnding("virtual:messages/en/shell"))) shell.add(key);
const home = new Set([...shell, ...closure(keyEnding("home/HomePage.tsx"))]);
const css = new Set([...home].flatMap((key) => manifest[key]?.css ?? []));
const cssSize = [...css].reduce((sum, file) => sum + gzipSize(file), 0) / 1000;

let isOverBudget = false;
function printLine(title: string, size: number, max: number): void {
  const isOver = size > max;
  isOverBudget ||= isOver;
  console.log(
    `${title.padEnd(48)} ${size.toFixed(1).padStart(7)} KB  of ${max}${isOver ? "  OVER" : ""}`,
  );
}

const homeSize = kilobytes(home) + gzipSize("start.js") / 1000;
printLine("/home, initial JavaScript with its language", homeSize, homeMax);
printLine("/home, CSS", cssSize, cssMax);
for (const key of Object.keys(manifest)
  .filter((name) => /Page\.tsx$/.test(name))
  .sort()) {
  const name = key.replace(/^(?:.*?web\/)?screens\//, "").replace(/\.tsx$/, "");
  // A chart is drawn on the first visit; sheets and dialogs load when opened.
  const files = closure(key);
  for (const part of manifest[key]?.dynamicImports ?? [])
    if (/Chart/.test(part)) closure(part, files);
  if (name === "home/HomePage") continue;
  const extraKb = kilobytes([...files].filter((part) => !home.has(part)));
  const title = `${name}, ${extraKb.toFixed(1)} KB more than /home`;
  printLine(title, homeSize + extraKb, screenMax[name] ?? screenMaxElse);
}

/** The console is a separate bundle: everything its first page loads. */
const consoleMax = 140;
const consoleManifest = JSON.parse(
  readFileSync(join(directory, "operator/manifest.json"), "utf8"),
) as Record<string, Chunk>;
function consoleClosure(key: string, keys = new Set<string>()): Set<string> {
  if (keys.has(key)) return keys;
  keys.add(key);
  for (const next of consoleManifest[key]?.imports ?? []) consoleClosure(next, keys);
  return keys;
}
const consoleKeys = Object.keys(consoleManifest).filter((key) =>
  /(^|\/)index\.html$|virtual:messages\/en\/(shell|console|permissions|audit)$|OverviewPage\.tsx$/.test(
    key,
  ),
);
const consoleFiles = new Set(
  consoleKeys
    .flatMap((key) => [...consoleClosure(key)])
    .map((key) => consoleManifest[key]?.file)
    .filter((file) => file !== undefined),
);
printLine(
  "/operator, initial JavaScript with its language",
  [...consoleFiles].reduce((sum, file) => sum + gzipSize(`operator/${file}`), 0) / 1000,
  consoleMax,
);

/** Server-only modules: schemas, and the definitions that contain them (docs/decisions/181). */
const schemas = /node_modules\/zod\/|^(\.\.\/)+api\/(?!(call|client|routes\/.+)\.ts$)/;
const maps = globSync("{,operator/}assets/*.js.map", { cwd: directory });
const bundledSchemas = maps.flatMap((file) =>
  (JSON.parse(readFileSync(join(directory, file), "utf8")) as { sources: string[] }).sources
    .filter((source) => schemas.test(source))
    .map((source) => `${file} contains ${source}`),
);
for (const schemaModule of bundledSchemas) console.log(schemaModule);
console.log(`${bundledSchemas.length} schema modules in ${maps.length} files`);
process.exitCode = isOverBudget || bundledSchemas.length > 0 || maps.length === 0 ? 1 : 0;
