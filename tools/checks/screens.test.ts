import { existsSync, globSync, readFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { expect, test } from "vitest";
import { initialNamespaces } from "#build/messages.ts";
import { getTabAt, notFoundScreen, screens } from "#core/screens/screens.ts";

const root = join(import.meta.dirname, "../..");
const errorNames = new Set(
  Object.keys(JSON.parse(readFileSync(join(root, "i18n/errors/en.json"), "utf8"))),
);
const domains = globSync(join(root, "i18n/*/en.json")).map((file) => basename(dirname(file)));

/** Namespaces of the message keys that a folder's files mention. */
function readNamespaces(pattern: string): Set<string> {
  const files = globSync(join(root, pattern)).filter((file) => !/\.test\.tsx?$/.test(file));
  const keys = files.flatMap((file) => [
    ...readFileSync(file, "utf8").matchAll(/"([a-z_-]+)\.[a-zA-Z0-9_]+(?:\.[a-zA-Z0-9_]+)*"/g),
  ]);
  const literals = keys.filter(([literal]) => !errorNames.has(literal.slice(1, -1)));
  return new Set(
    literals.map((match) => match[1] as string).filter((name) => domains.includes(name)),
  );
}

const listedScreens = [...screens, notFoundScreen];
const getFolder = ({ file }: { file: string }) => file.split("/")[0] as string;
const folders = [...new Set(listedScreens.map(getFolder))];

/** Namespaces loaded with each screen of a folder. */
function readDeclaredNamespaces(folder: string): Set<string> {
  const ownScreens = listedScreens.filter((screen) => getFolder(screen) === folder);
  return new Set([...initialNamespaces, ...ownScreens.flatMap(({ namespaces }) => namespaces)]);
}

/**
 * Lazily loaded parts of screens that bring their own messages (`web/lib/start/lazyComponent.tsx`):
 * the entry file of each, and its namespaces.
 */
const parts = globSync(join(root, "web/**/*.{ts,tsx}")).flatMap((file) =>
  [
    ...readFileSync(file, "utf8").matchAll(
      /lazyComponent\(\s*\(\) => import\("#(web\/[\w/-]+\.tsx)"\),\s*\[([^\]]*)\]/g,
    ),
  ].map(([, entry = "", list = ""]) => ({
    entry: join(root, entry),
    names: [...list.matchAll(/"([\w-]+)"/g)].map((match) => match[1] as string),
  })),
);

/** A lazily loaded part brings its own messages wherever it is used. */
const entries = new Set(parts.map(({ entry }) => entry));

/**
 * All files of `web/` that a file imports, statically or dynamically, transitively and including
 * itself; stops at other lazily loaded parts.
 */
function collectReachedFiles(file: string, reached = new Set<string>()): Set<string> {
  if (reached.has(file) || !existsSync(file)) return reached;
  if (reached.size > 0 && entries.has(file)) return reached;
  reached.add(file);
  for (const [, path = ""] of readFileSync(file, "utf8").matchAll(
    /(?: from |import\()"([.#][^"]+)"/g,
  )) {
    if (path.startsWith(".")) collectReachedFiles(join(dirname(file), path), reached);
    else if (path.startsWith("#web/")) collectReachedFiles(join(root, path.slice(1)), reached);
  }
  return reached;
}

const reached = parts.map(({ entry, names }) => ({ names, files: collectReachedFiles(entry) }));

/** For each way in which a file is reached, the namespaces loaded in addition to its screen's. */
function listRoutesTo(file: string): readonly string[][] {
  const namespaceLists = reached.filter(({ files }) => files.has(file)).map(({ names }) => names);
  return namespaceLists.length > 0 ? namespaceLists : [[]];
}

test.each(folders)("the screens of %s declare all namespaces that they use", (folder) => {
  const loaded = readDeclaredNamespaces(folder);
  const missingNamespaces = globSync(join(root, `web/screens/${folder}/**/*.{ts,tsx}`)).flatMap(
    (file) => {
      const missingNamespaces = [...readNamespaces(relative(root, file))].filter(
        (name) => !loaded.has(name),
      );
      const lackingNames = missingNamespaces.filter((name) =>
        listRoutesTo(file).some((route) => !route.includes(name)),
      );
      return lackingNames.map((name) => `${relative(root, file)} says ${name}`);
    },
  );
  expect(missingNamespaces).toEqual([]);
});

test("lazily loaded parts declare existing namespaces", () => {
  const namespaces = parts.flatMap(({ names }) => names);
  expect(namespaces.filter((name) => !domains.includes(name))).toEqual([]);
  expect(namespaces.length).toBeGreaterThan(0);
});

/** Namespaces that a folder's files load themselves before use. */
function readLoadedNamespaces(pattern: string): string[] {
  const texts = globSync(join(root, pattern)).map((file) => readFileSync(file, "utf8"));
  return texts.flatMap((text) =>
    [...text.matchAll(/loadMessages\(\["([\w-]+)"\]\)/g)].map((match) => match[1] as string),
  );
}

test.each([
  "web/app/*.{ts,tsx}",
  "web/lib/*.{ts,tsx}",
  "web/features/session/**/*.{ts,tsx}",
  "ui/**/*.{ts,tsx}",
])("%s uses only namespaces of the first chunk or ones it loads", (pattern) => {
  const loaded = [...initialNamespaces, ...readLoadedNamespaces(pattern)];
  expect([...readNamespaces(pattern)].filter((name) => !loaded.includes(name))).toEqual([]);
});

test("every listed screen has a file, and every page file is listed", () => {
  const files = globSync(join(root, "web/screens/*/*Page.tsx"));
  const missingFiles = files.map((file) =>
    relative(join(root, "web/screens"), file)
      .replaceAll("\\", "/")
      .replace(/\.tsx$/, ""),
  );
  // The gallery is for developers: web/app/routes.tsx adds it, and no build has it.
  const gallery = "gallery/GalleryPage";
  expect([...listedScreens.map(({ file }) => file), gallery].toSorted()).toEqual(
    missingFiles.toSorted(),
  );
});

test("every path is listed once, and every tab leads to its own screen", () => {
  const paths = screens.map(({ path }) => path);
  expect(paths).toEqual([...new Set(paths)]);
  for (const { tab } of screens) if (tab) expect(getTabAt(tab)).toBe(tab);
});

test("screens declare existing namespaces", () => {
  const usedNamespaces = listedScreens.flatMap(({ namespaces }) => namespaces);
  expect(usedNamespaces.filter((name) => !domains.includes(name))).toEqual([]);
});
